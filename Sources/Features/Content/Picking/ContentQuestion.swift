import Audience
import CloudKitWire
import Crypto
import NephosDomain
import NephosRunner
import NephosStorage

/// The parameters of a request for content, from its address.
struct ContentQuestion: Sendable {
    /// The maximum number of records in a response.
    static let picksMax = 50, listMax = 200
    static let collectionsMax = 100

    let type: Name
    let count: Int
    /// Repeats a random selection; nil for a new one.
    let seed: String?
    /// Where the last response ended.
    let after: String?
    private(set) var collections: Set<Bytes> = []
    /// Whether all records are listed, rather than some at random.
    var isList = false
    /// Whether the response is for one person or device only, or for a client that supports more than others do.
    let isPersonal: Bool
    private let words: AppParameters
    /// Distinguishes the request from others.
    private let address: String

    /// - Parameters:
    ///   - usual: The default number of records; `most` is the maximum.
    init(_ call: AdmittedCall, usual: Int, most: Int) throws(Refusal) {
        let target = call.call.request.target
        let parameters = RequestParameters(target)
        words = try AppParameters(parameters, now: call.context.now)
        type = Name(String(call.call.path.values.first ?? ""))
        let asked = try parameters.value(of: "count", most: AppParameters.textMax).map { Int($0) ?? 0 } ?? usual
        guard (1...most).contains(asked) else { throw .badRequest("count must be a number from 1 to \(most)") }
        count = asked
        seed = try parameters.value(of: "seed", most: AppParameters.textMax)
        after = try parameters.value(of: "after", most: ContentMarker.textMax)
        for list in parameters.values(of: "collection") {
            collections.formUnion(list.split(separator: ",").map { Bytes($0.utf8) })
        }
        guard collections.count <= Self.collectionsMax, collections.allSatisfy({ $0.count <= AppParameters.textMax })
        else {
            throw .badRequest(
                "a request can name at most \(Self.collectionsMax) collections of \(AppParameters.textMax) bytes")
        }
        isPersonal = call.isPersonal(words)
        address = target
    }

    /// The person or device that content is requested for.
    ///
    /// - Parameters:
    ///   - roles: Numbers of their own roles.
    ///   - chosen: Collections that a person chose, if the request names none.
    func caller(_ call: AdmittedCall, roles: [Int64], chosen: [String]?) -> PickCaller {
        PickCaller(
            context: words.context(of: call, roles: roles), proofs: Set(call.context.proofWords(roles)),
            collections: chosen.map { Set($0.map { Bytes($0.utf8) }) } ?? collections)
    }

    /// Differs for different requests, and for different callers. All of them share the cache of tags, so it is no hash of which
    /// somebody could find two equal ones.
    func digest(_ call: AdmittedCall, _ caller: PickCaller) -> [UInt8] {
        var content = NumberWriter()
        content.counted(address.utf8)
        content.number(Int64(caller.collections.count))
        for word in caller.collections.sorted(by: { $0.lexicographicallyPrecedes($1) }) { content.counted(word) }
        let facts = caller.context.facts.map { "\($0.key)=\($0.value)" }
        for words in [
            caller.proofs.sorted(), facts.sorted(), [caller.context.person ?? "", call.wantsExtras ? "1" : ""],
        ] {
            content.number(Int64(words.count))
            for word in words { content.counted(word.utf8) }
        }
        return Array(SHA256.hash(data: content.bytes))
    }
}
