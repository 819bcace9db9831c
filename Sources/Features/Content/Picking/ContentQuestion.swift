import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Whom somebody asks content for, and of which collections: what the address says.
struct ContentQuestion: Sendable {
    /// Records of one answer.
    static let picksMax = 50, listMax = 200
    static let textMax = 1_024
    static let collectionsMax = 100

    let type: Name
    let count: Int
    /// For who wants the same again; nil for chance.
    let seed: String?
    /// Where the last answer ended.
    let after: String?
    private(set) var collections: Set<Bytes> = []
    /// Whether all are listed, not some by chance.
    var isList = false
    /// Whether the answer is for one person or device alone, or for who understands more than others do.
    let isPersonal: Bool
    private let said: EvaluationContext
    /// Tells it from others.
    private let address: String

    /// - Parameters:
    ///   - usual: Records where the address does not say how many, and `most` at most.
    init(_ call: AdmittedCall, usual: Int, most: Int) throws(Refusal) {
        let target = call.call.request.target
        let parameters = RequestParameters(target)
        func value(_ name: StaticString, most: Int = Self.textMax) throws(Refusal) -> String? {
            guard let text = parameters.value(of: name) else { return nil }
            guard text.utf8.count <= most else { throw .badRequest("\(name) has more than \(most) bytes") }
            return text
        }
        guard !parameters.hasUnreadable else {
            throw .badRequest("the address holds a value that is no percent-encoded UTF-8")
        }
        type = Name(String(call.call.path.values.first ?? ""))
        let asked = try value("count").map { Int($0) ?? 0 } ?? usual
        guard (1...most).contains(asked) else { throw .badRequest("count is a number from 1 to \(most)") }
        count = asked
        seed = try value("seed")
        after = try value("after", most: PickRound.textMax)
        let device = try value("device")
        for list in parameters.values(of: "collection") {
            collections.formUnion(list.split(separator: ",").map { Bytes($0.utf8) })
        }
        guard collections.count <= Self.collectionsMax, collections.allSatisfy({ $0.count <= Self.textMax }) else {
            throw .badRequest(
                "at most \(Self.collectionsMax) collections of \(Self.textMax) bytes are asked for at once")
        }
        var said = EvaluationContext(now: call.context.now)
        said.targetingKey = device
        said.setPlatform(try value("platform"))
        said.setDevice(try value("deviceType"))
        said.setCountry(try value("country"))
        said.locale = try value("locale").map { text throws(Refusal) in
            guard let locale = LanguageTag(text) else { throw .badRequest("locale is one such as es or es-MX") }
            return locale
        }
        said.appVersion = try value("version").map { text throws(Refusal) in try Self.version(text, "version") }
        said.systemVersion = try value("osVersion").map { text throws(Refusal) in try Self.version(text, "osVersion") }
        self.said = said
        isPersonal =
            call.context.caller.user != nil || device != nil || call.wantsExtras
            || call.call.request.headers.contains(.facts)
        address = target
    }

    private static func version(_ text: String, _ name: String) throws(Refusal) -> Version {
        guard let version = Version(text) else { throw .badRequest("\(name) is one such as 2.4") }
        return version
    }

    /// For whom it is asked.
    ///
    /// - Parameters:
    ///   - roles: Numbers of their own roles.
    ///   - chosen: Collections that a person chose, for who names none.
    func asker(_ call: AdmittedCall, roles: [Int64], chosen: [String]?) -> PickAsker {
        var context = said
        context.facts = call.context.factValues
        if let user = call.context.caller.user, user != .server {
            context.person = user.recordName
            context.targetingKey = user.recordName
            context.roles = call.context.catalog.roles.values.filter { roles.contains($0.number) }.map(\.name.text)
                .sorted()
        }
        return PickAsker(
            context: context, proofs: Set(call.context.proofWords(roles)),
            collections: chosen.map { Set($0.map { Bytes($0.utf8) }) } ?? collections)
    }

    /// Another number where something else is asked for, or somebody else asks.
    func print(_ call: AdmittedCall, _ asker: PickAsker) -> UInt64 {
        var bytes = Array(address.utf8)
        for word in asker.collections.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            bytes.append(0)
            bytes += word
        }
        let facts = asker.context.facts.map { "\($0.key)=\($0.value)" }
        for word in asker.proofs.sorted() + facts.sorted() + [asker.context.person ?? "", call.wantsExtras ? "1" : ""] {
            bytes.append(0)
            bytes += word.utf8
        }
        return bytes.withUnsafeBytes { xxHash64($0) }
    }
}
