import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension Flags {
    /// Below `/nephos/1/CONTAINER/ENVIRONMENT/flags/`, for whoever has an API token: values, never rules.
    static func endpoints(_ host: FeatureHost, _ memory: FlagMemory) -> [Endpoint] {
        [
            Endpoint("flags/ofrep/v1/evaluate/flags/{key}", at: .container, methods: [.post]) { call in
                let key = String(call.call.path.values.first ?? "")
                return evaluating(call, memory, steps: { $0.steps(of: key) }) { set, context in
                    do throws(Evaluation.Failure) {
                        var json = JSONWriter()
                        json.write(try set.evaluate(key, for: context), of: key)
                        return call.success(json.bytes)
                    } catch {
                        return call.failure(error, of: key)
                    }
                }
            },
            Endpoint("flags/ofrep/v1/evaluate/flags", at: .container, methods: [.post]) { call in
                evaluating(call, memory, steps: { $0.steps }) { set, context in
                    var json = JSONWriter()
                    json.beginObject()
                    json.key("flags")
                    json.beginArray()
                    set.evaluateAll(for: context) { id, result in
                        switch result {
                        case .success(let evaluation): json.write(evaluation, of: id)
                        case .failure(let failure): json.write(failure, of: id)
                        }
                    }
                    json.endArray()
                    json.endObject()
                    return call.answer(json.bytes, tag: String(json.bytes.withUnsafeBytes { xxHash64($0) }, radix: 16))
                }
            },
        ]
    }

    /// More conditions than this are judged on a thread that may take its time.
    private static let inlineStepsMax = 2_000

    /// Evaluates with what is remembered, or read.
    ///
    /// - Parameter steps: Conditions that it takes at most.
    private static func evaluating(
        _ call: AdmittedCall, _ memory: FlagMemory, steps: @escaping @Sendable (FlagSet) -> Int,
        _ answer: @escaping @Sendable (FlagSet, EvaluationContext) -> RawResponse
    ) -> Work {
        let request: FlagRequest
        do throws(WireError) { request = try FlagRequest(call) } catch {
            return .answer(call.failure("INVALID_CONTEXT", "\(error.reason)", of: nil, status: 400))
        }
        return call.carryOut(request.reading) { reading in
            let context = request.context(reading)
            let generation = FlagMemory.generation(reading)
            if let set = memory.set(generation, of: call.tenant, now: context.now) {
                guard steps(set) > inlineStepsMax else { return .answer(answer(set, context)) }
                return .blocking { .answer(answer(set, context)) }
            }
            return .blocking {
                do {
                    return .answer(answer(try memory.load(call.store, generation, now: context.now), context))
                } catch let failure as SectionFailure {
                    let reason = "the settings of the container cannot be read by this server: \(failure)"
                    return .answer(call.failure("GENERAL", reason, of: nil, status: 500))
                } catch {
                    return call.failed(error)
                }
            }
        }
    }
}

/// What somebody asks flags for.
struct FlagRequest: Sendable {
    private let call: AdmittedCall
    private let said: EvaluationContext

    /// Bytes of a body.
    static let bytesMax = 65_536

    /// - Throws: Where the body is no context.
    init(_ call: AdmittedCall) throws(WireError) {
        self.call = call
        let body = call.body
        guard body.count <= Self.bytesMax else {
            throw WireError("a body may have \(Self.bytesMax) bytes", isLimit: true)
        }
        var context = EvaluationContext(now: call.context.now)
        if !body.isEmpty {
            var json = try JSONReader(body)
            try json.readObject { json, key throws(WireError) in
                switch key {
                case "context": if try !json.readNull() { try context.read(&json) }
                default: return
                }
            }
            try json.finish()
        }
        said = context
    }

    var reading: ReadSet {
        var set = FlagMemory.reading
        if let user = call.context.caller.user { set.memberships = [user] }
        return set
    }

    /// What was said, and what is proved: the person's targetingKey is their own, whatever an app says.
    func context(_ reading: Reading) -> EvaluationContext {
        var context = said
        guard let user = call.context.caller.user else { return context }
        if case .person = call.context.caller {
            context.person = user.recordName
            context.targetingKey = user.recordName
        }
        let roles = reading.memberships.first ?? []
        context.roles = reading.catalog.roles.values.filter { roles.contains($0.number) }.map(\.name.text)
        return context
    }
}
