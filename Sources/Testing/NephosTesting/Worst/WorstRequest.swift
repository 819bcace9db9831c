/// The most expensive body of its kind that the limits let through, or that they refuse last (docs/limits.md). All are of
/// one person and her private database.
public struct WorstRequest: Sendable {
    public struct Part: Sendable {
        /// Entity and action: `records/modify`.
        public var endpoint: String
        public var body: [UInt8]

        init(_ endpoint: String, _ body: String) {
            self.endpoint = endpoint
            self.body = Array(body.utf8)
        }
    }

    public var name: String
    /// What is asked before, so that there is something to find.
    public var preparation: [Part]
    public var request: Part
    /// The answer: 200, or 400 for what a limit refuses.
    public var status: Int

    init(_ name: String, _ preparation: [Part] = [], _ request: Part, status: Int = 200) {
        self.name = name
        self.preparation = preparation
        self.request = request
        self.status = status
    }
}

extension WorstRequest {
    /// Requests whose cost is in what they find, and whose bodies are small.
    public static var ofReading: [WorstRequest] { [lists, words, misses, lookUp, feeds] }

    /// Requests whose cost is in their bodies, and in what they write.
    public static var ofBodies: [WorstRequest] { [names, nesting, bigRecords, subscriptions, cascades] }

    public static var all: [WorstRequest] { ofReading + ofBodies }

    // MARK: Reading

    /// 20 filters of 250 values each over a record of half a million members.
    static var lists: WorstRequest {
        let members = Array(repeating: "1,2", count: 249_000).joined(separator: ",")
        let record = creating("big", type: "List", #""numbers":{"value":[\#(members)]}"#)
        let values = (1_000..<1_250).map { "\($0)" }.joined(separator: ",")
        let filter = """
            {"fieldName":"numbers","comparator":"NOT_LIST_CONTAINS_ANY","fieldValue":{"value":[\(values)],"type":"INT64_LIST"}}
            """
        return WorstRequest(
            "query: 20 filters of 250 values, a list of 498,000 members", [modify([record])],
            query("List", filters: Array(repeating: filter, count: 20)))
    }

    /// 250 words that are looked for in a megabyte of others.
    static var words: WorstRequest {
        let text = (0..<130_000).map { "w\($0)" }.joined(separator: " ")
        let looked = (0..<250).map { "absent\($0)" }.joined(separator: " ")
        let filter = """
            {"fieldName":"text","comparator":"CONTAINS_ANY_TOKENS","fieldValue":{"value":"\(looked)","type":"STRING"}}
            """
        return WorstRequest(
            "query: 250 words, a text of 1 MB",
            [modify([creating("text", type: "Text", #""text":{"value":"\#(text)"}"#)])],
            query("Text", filters: [filter]))
    }

    /// A filter that no index answers and nearly no record meets.
    static var misses: WorstRequest {
        let preparation = (0..<50).map { batch in
            modify((0..<200).map { creating("m\(batch)-\($0)", type: "Miss", #""name":{"value":"same"}"#) })
        }
        return WorstRequest(
            "query: NOT_EQUALS over 10,000 records that all are equal", preparation,
            query(
                "Miss",
                filters: [
                    #"{"fieldName":"name","comparator":"NOT_EQUALS","fieldValue":{"value":"same","type":"STRING"}}"#
                ]))
    }

    /// 200 records of 78 KB: nearly 16 MB of an answer.
    static var lookUp: WorstRequest {
        let text = String(repeating: "x", count: 78_000)
        let preparation = (0..<4).map { batch in
            modify((0..<50).map { creating("l\(batch * 50 + $0)", type: "Large", #""text":{"value":"\#(text)"}"#) })
        }
        let names = (0..<200).map { #"{"recordName":"l\#($0)"}"# }.joined(separator: ",")
        return WorstRequest(
            "look-up of 200 records of 78 KB", preparation, Part("records/lookup", #"{"records":[\#(names)]}"#))
    }

    /// 200 zones whose records are all of a type that is not wanted.
    static var feeds: WorstRequest {
        let zones = (0..<200).map { #"{"operationType":"create","zone":{"zoneID":{"zoneName":"z\#($0)"}}}"# }
        let filling = (0..<200).map { zone in
            modify((0..<100).map { creating("f\($0)", type: "Other", #""n":{"value":1}"#) }, zone: "z\(zone)")
        }
        let asked = (0..<200).map { #"{"zoneID":{"zoneName":"z\#($0)"},"desiredRecordTypes":["Wanted"]}"# }
        return WorstRequest(
            "changes of 200 zones, none of a wanted type",
            [Part("zones/modify", #"{"operations":[\#(zones.joined(separator: ","))]}"#)] + filling,
            Part("changes/zone", #"{"zones":[\#(asked.joined(separator: ","))]}"#))
    }

    // MARK: Bodies

    /// 16 MB of empty names.
    static var names: WorstRequest {
        let keys = Array(repeating: #""""#, count: 5_500_000).joined(separator: ",")
        return WorstRequest(
            "16 MB of empty desiredKeys", [],
            Part("records/query", #"{"desiredKeys":[\#(keys)],"query":{"recordType":"List"}}"#), status: 400)
    }

    /// 16 MB of brackets and numbers under a key that nobody reads.
    static var nesting: WorstRequest {
        let piece = String(repeating: "[", count: 25) + "1" + String(repeating: "]", count: 25)
        let text = Array(repeating: piece, count: 320_000).joined(separator: ",")
        return WorstRequest("16 MB of lists in lists", [], Part("zones/list", #"{"other":[\#(text)]}"#))
    }

    /// 200 records of 80 KB, of lists.
    static var bigRecords: WorstRequest {
        let members = Array(repeating: "1", count: 39_000).joined(separator: ",")
        let records = (0..<200).map { creating("b\($0)", type: "Body", #""numbers":{"value":[\#(members)]}"#) }
        return WorstRequest("modify of 200 records of 78 KB of list members", [], modify(records))
    }

    /// As many filters and values as one request can carry.
    static var subscriptions: WorstRequest {
        let values = (1_000..<1_250).map { "\($0)" }.joined(separator: ",")
        let filter = #"{"fieldName":"n","comparator":"IN","fieldValue":{"value":[\#(values)],"type":"INT64_LIST"}}"#
        let filters = Array(repeating: filter, count: 20).joined(separator: ",")
        let operations = (0..<200).map { number in
            """
            {"operationType":"create","subscription":{"subscriptionID":"s\(number)","subscriptionType":"query",\
            "firesOn":["create"],"query":{"recordType":"Sub","filterBy":[\(filters)]}}}
            """
        }
        return WorstRequest(
            "200 subscriptions of 20 filters of 250 values",
            [modify([creating("sub", type: "Sub", #""n":{"value":1}"#)])],
            Part("subscriptions/modify", #"{"operations":[\#(operations.joined(separator: ","))]}"#))
    }

    /// 200 deletions, each of which 49 records go along with and one keeps.
    static var cascades: WorstRequest {
        let roots = (0..<200).map { creating("root\($0)", type: "Root", #""n":{"value":1}"#) }
        let holders = (0..<49).map { round in
            modify((0..<200).map { creating("h\(round)-\($0)", type: "Holder", reference("root\($0)", "DELETE_SELF")) })
        }
        let keepers = (0..<200).map { creating("k\($0)", type: "Keeper", reference("root\($0)", "VALIDATE")) }
        let deletions = (0..<200).map { #"{"operationType":"forceDelete","record":{"recordName":"root\#($0)"}}"# }
        return WorstRequest(
            "200 deletions that 9,800 records hang on, all refused", [modify(roots)] + holders + [modify(keepers)],
            Part("records/modify", #"{"operations":[\#(deletions.joined(separator: ","))]}"#))
    }

    // MARK: Pieces

    private static func reference(_ name: String, _ action: String) -> String {
        #""to":{"value":{"recordName":"\#(name)","action":"\#(action)"},"type":"REFERENCE"}"#
    }

    private static func creating(_ name: String, type: String, _ fields: String) -> String {
        #"{"operationType":"create","record":{"recordName":"\#(name)","recordType":"\#(type)","fields":{\#(fields)}}}"#
    }

    private static func modify(_ operations: [String], zone: String = "_defaultZone") -> Part {
        Part(
            "records/modify",
            #"{"zoneID":{"zoneName":"\#(zone)"},"desiredKeys":[],"operations":[\#(operations.joined(separator: ","))]}"#
        )
    }

    private static func query(_ type: String, filters: [String]) -> Part {
        Part(
            "records/query",
            #"{"desiredKeys":[],"query":{"recordType":"\#(type)","filterBy":[\#(filters.joined(separator: ","))]}}"#)
    }
}
