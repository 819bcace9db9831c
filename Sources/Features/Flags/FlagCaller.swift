import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// The person or device for which flags are evaluated: what a body reports, and what is proved.
struct FlagCaller: Sendable {
    /// The maximum bytes of a body.
    static let bytesMax = 65_536

    private let call: AdmittedCall
    private let proof: String?

    /// - Throws: If the body is too long.
    init(_ call: AdmittedCall) throws(WireError) {
        guard call.body.count <= Self.bytesMax else {
            throw WireError("a body can have at most \(Self.bytesMax) bytes", isLimit: true)
        }
        self.call = call
        proof = call.call.request.headers.first(.facts)
    }

    func reading(_ memory: FlagCache) -> ReadSet {
        var set = memory.reading
        if let user = call.context.caller.user { set.memberships = [user] }
        return set
    }

    /// The proved properties of the caller.
    ///
    /// - Throws: If a proof of facts is not valid.
    func known(_ reading: Reading) throws(WireError) -> EvaluationContext {
        var context = EvaluationContext(now: call.context.now)
        if let proof {
            do throws(WireError) {
                context.facts = try ProvedFacts(
                    proof, of: person, in: call.tenant, reading.catalog, now: call.context.now
                ).facts
            } catch {
                throw WireError("X-Nephos-Facts: \(error.reason)", isLimit: error.isLimit)
            }
        }
        guard call.context.caller.user != nil else { return context }
        context.person = person?.recordName
        let roles = reading.memberships.first ?? []
        context.roles = reading.catalog.roles.values.filter { roles.contains($0.number) }.map(\.name.text).sorted()
        return context
    }

    /// Adds the properties reported in the body. A person's targetingKey is always their own, whatever an app sends.
    ///
    /// - Throws: If the body is not a valid context.
    func context(_ known: EvaluationContext) throws(WireError) -> EvaluationContext {
        var context = known
        if !call.body.isEmpty {
            var json = try JSONReader(call.body)
            try json.readObject { json, key throws(WireError) in
                switch key {
                case "context": if try !json.readNull() { try context.read(&json) }
                default: return
                }
            }
            try json.finish()
        }
        if let person = known.person { context.targetingKey = person }
        return context
    }

    private var person: UserID? {
        guard case .person = call.context.caller else { return nil }
        return call.context.caller.user
    }

    // MARK: Tags

    /// A hash that differs for other callers, reported properties or proofs.
    func print(_ known: EvaluationContext) -> UInt64 {
        var bytes = Array(call.body)
        for text in [known.person ?? "", proof ?? ""] + known.roles {
            bytes.append(0)
            bytes += text.utf8
        }
        return bytes.withUnsafeBytes { xxHash64($0) }
    }

    /// Whether the caller already has the response with this print.
    func has(_ print: FlagPrint) -> Bool {
        let tags = EntityTags(call.call.request.headers[.ifNoneMatch])
        // A wildcard tag is ignored, because the body has not been checked for errors yet.
        return !tags.matchAll && tags.matchesWeakly(print.entityTag)
    }
}

/// Identifies a response about all flags by the flags, the point in their schedules, and the caller. The same on all servers.
struct FlagPrint: Sendable {
    let state, caller: UInt64

    /// The tag of a response.
    var tag: String {
        var words = (state.littleEndian, caller.littleEndian)
        return withUnsafeBytes(of: &words) { String(xxHash64($0), radix: 16) }
    }

    var entityTag: String { "W/\"\(tag)\"" }
}
