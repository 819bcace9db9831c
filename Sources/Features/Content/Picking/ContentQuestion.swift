import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Whom somebody asks content for, and of which collections: what the address says.
struct ContentQuestion: Sendable {
    /// Records of one answer.
    static let picksMax = 50, listMax = 200
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
    private let words: AppWords
    /// Tells it from others.
    private let address: String

    /// - Parameters:
    ///   - usual: Records where the address does not say how many, and `most` at most.
    init(_ call: AdmittedCall, usual: Int, most: Int) throws(Refusal) {
        let target = call.call.request.target
        let parameters = RequestParameters(target)
        words = try AppWords(parameters, now: call.context.now)
        type = Name(String(call.call.path.values.first ?? ""))
        let asked = try parameters.value(of: "count", most: AppWords.textMax).map { Int($0) ?? 0 } ?? usual
        guard (1...most).contains(asked) else { throw .badRequest("count is a number from 1 to \(most)") }
        count = asked
        seed = try parameters.value(of: "seed", most: AppWords.textMax)
        after = try parameters.value(of: "after", most: PickRound.textMax)
        for list in parameters.values(of: "collection") {
            collections.formUnion(list.split(separator: ",").map { Bytes($0.utf8) })
        }
        guard collections.count <= Self.collectionsMax, collections.allSatisfy({ $0.count <= AppWords.textMax }) else {
            throw .badRequest(
                "at most \(Self.collectionsMax) collections of \(AppWords.textMax) bytes are asked for at once")
        }
        isPersonal = call.isPersonal(words)
        address = target
    }

    /// For whom it is asked.
    ///
    /// - Parameters:
    ///   - roles: Numbers of their own roles.
    ///   - chosen: Collections that a person chose, for who names none.
    func asker(_ call: AdmittedCall, roles: [Int64], chosen: [String]?) -> PickAsker {
        PickAsker(
            context: words.context(of: call, roles: roles), proofs: Set(call.context.proofWords(roles)),
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
