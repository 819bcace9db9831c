/// The most expensive body of its kind that the limits accept, or that they reject last (docs/limits.md). All are for one user's
/// private database.
package struct WorstRequest: Sendable {
    package struct Part: Sendable {
        /// Entity and action: `records/modify`.
        package var endpoint: String
        package var body: [UInt8]

        init(_ endpoint: String, _ body: String) {
            self.endpoint = endpoint
            self.body = Array(body.utf8)
        }
    }

    package var name: String
    /// Requests sent before, to create the data.
    package var preparation: [Part]
    package var request: Part
    /// The expected status: 200, or 400 for a request that a limit rejects.
    package var status: Int
    /// Whether its cost arises after its response, which may have to wait for an index.
    package var goesOn: Bool

    init(_ name: String, _ preparation: [Part] = [], _ request: Part, status: Int = 200, goesOn: Bool = false) {
        self.name = name
        self.preparation = preparation
        self.request = request
        self.status = status
        self.goesOn = goesOn
    }
}

extension WorstRequest {
    /// Requests with small bodies whose cost is in their results.
    package static let ofReading: [WorstRequest] = {
        [lists, words, misses, lookUp, feeds, zoneLists, subscriptionLists]
    }()

    /// Requests whose cost is in their bodies.
    package static let ofBodies: [WorstRequest] = [names, nesting]

    /// Requests whose cost is in writes or decisions.
    package static let ofWriting: [WorstRequest] = [bigRecords, subscriptions, cascades, flood, repetitions]

    /// Requests that cause background work: delivering, building an index, sweeping.
    package static let ofUpkeep: [WorstRequest] = [matching, building, sweeping]

    package static let all: [WorstRequest] = ofReading + ofBodies + ofWriting + ofUpkeep

    // MARK: Reading

    /// 20 filters of 250 values each over a record of half a million members.
    static let lists: WorstRequest = {
        let members = Array(repeating: "1,2", count: 249_000).joined(separator: ",")
        let record = creating("big", type: "List", #""numbers":{"value":[\#(members)]}"#)
        let values = (1_000..<1_250).map { "\($0)" }.joined(separator: ",")
        let filter = """
            {"fieldName":"numbers","comparator":"NOT_LIST_CONTAINS_ANY","fieldValue":{"value":[\(values)],"type":"INT64_LIST"}}
            """
        return WorstRequest(
            "query: 20 filters of 250 values, a list of 498,000 members", [modify([record])],
            query("List", filters: Array(repeating: filter, count: 20)))
    }()

    /// A search for 250 words in a megabyte of others.
    static let words: WorstRequest = {
        let text = (0..<130_000).map { "w\($0)" }.joined(separator: " ")
        let looked = (0..<250).map { "absent\($0)" }.joined(separator: " ")
        let filter = """
            {"fieldName":"text","comparator":"CONTAINS_ANY_TOKENS","fieldValue":{"value":"\(looked)","type":"STRING"}}
            """
        return WorstRequest(
            "query: 250 words, a text of 1 MB",
            [modify([creating("text", type: "Text", #""text":{"value":"\#(text)"}"#)])],
            query("Text", filters: [filter]))
    }()

    /// A filter without an index that hardly any record matches.
    static let misses: WorstRequest = {
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
    }()

    /// 200 records of 78 KB: a response of nearly 16 MB.
    static let lookUp: WorstRequest = {
        let text = String(repeating: "x", count: 78_000)
        let preparation = (0..<4).map { batch in
            modify((0..<50).map { creating("l\(batch * 50 + $0)", type: "Large", #""text":{"value":"\#(text)"}"#) })
        }
        let names = (0..<200).map { #"{"recordName":"l\#($0)"}"# }.joined(separator: ",")
        return WorstRequest(
            "look-up of 200 records of 78 KB", preparation, Part("records/lookup", #"{"records":[\#(names)]}"#))
    }()

    /// 200 zones whose records are all of an unrequested type.
    static let feeds: WorstRequest = {
        let zones = (0..<200).map { #"{"operationType":"create","zone":{"zoneID":{"zoneName":"z\#($0)"}}}"# }
        let filling = (0..<200).map { zone in
            modify((0..<100).map { creating("f\($0)", type: "Other", #""n":{"value":1}"#) }, zone: "z\(zone)")
        }
        let asked = (0..<200).map { #"{"zoneID":{"zoneName":"z\#($0)"},"desiredRecordTypes":["Wanted"]}"# }
        return WorstRequest(
            "changes of 200 zones, none of a wanted type",
            [Part("zones/modify", #"{"operations":[\#(zones.joined(separator: ","))]}"#)] + filling,
            Part("changes/zone", #"{"zones":[\#(asked.joined(separator: ","))]}"#))
    }()

    /// Nearly as many zones as a user may have.
    static let zoneLists: WorstRequest = {
        let preparation = (0..<4).map { batch in
            let zones = (0..<200).map {
                #"{"operationType":"create","zone":{"zoneID":{"zoneName":"many\#(batch * 200 + $0)"}}}"#
            }
            return Part("zones/modify", #"{"operations":[\#(zones.joined(separator: ","))]}"#)
        }
        return WorstRequest("list of 800 zones and more", preparation, Part("zones/list", "{}"))
    }()

    /// As many subscriptions as a user may have, each as long as one request can contain.
    static let subscriptionLists: WorstRequest = {
        WorstRequest(
            "list of 200 subscriptions of 20 filters", subscriptions.preparation + [subscriptions.request],
            Part("subscriptions/list", "{}"))
    }()

    // MARK: Bodies

    /// 16 MB of empty names.
    static let names: WorstRequest = {
        let keys = Array(repeating: #""""#, count: 5_500_000).joined(separator: ",")
        return WorstRequest(
            "16 MB of empty desiredKeys", [],
            Part("records/query", #"{"desiredKeys":[\#(keys)],"query":{"recordType":"List"}}"#), status: 400)
    }()

    /// 16 MB of brackets and numbers under a key that is not read.
    package static let nesting: WorstRequest = {
        let piece = String(repeating: "[", count: 25) + "1" + String(repeating: "]", count: 25)
        let text = Array(repeating: piece, count: 320_000).joined(separator: ",")
        return WorstRequest("16 MB of lists in lists", [], Part("zones/list", #"{"other":[\#(text)]}"#))
    }()

    // MARK: Writing

    /// 200 records of 80 KB, consisting of lists. Sending the request again replaces them.
    static let bigRecords: WorstRequest = {
        let members = Array(repeating: "1", count: 39_000).joined(separator: ",")
        let records = (0..<200).map { replacing("b\($0)", type: "Body", #""numbers":{"value":[\#(members)]}"#) }
        return WorstRequest("modify of 200 records of 78 KB of list members", [], modify(records))
    }()

    /// Members that a table by their unseeded hashes would find in one long row of slots (``CollidingNumbers``), one more in each
    /// record than an index accepts, so that the count of entries does not limit their number.
    package static let flood: WorstRequest = {
        let members = CollidingNumbers.first(5_001).map { "\($0)" }.joined(separator: ",")
        let records = (0..<60).map { creating("f\($0)", type: "Tagged", #""n":{"value":[\#(members)]}"#) }
        return WorstRequest("modify of 60 records whose members have the same hash", indexed, modify(records))
    }()

    /// As many members as fit into one request, which repeat the largest number of different ones that an index accepts. Sorting
    /// them takes more steps than a commit may.
    static let repetitions: WorstRequest = {
        var random = SeededGenerator(seed: 1)
        let members = (0..<190_000).map { _ in "\(1_000 + Int.random(in: 0..<5_000, using: &random))" }
        let list = members.joined(separator: ",")
        let records = (0..<16).map { creating("r\($0)", type: "Tagged", #""n":{"value":[\#(list)]}"#) }
        return WorstRequest(
            "modify of 16 records of 190,000 members that repeat", indexed, modify(records), status: 400)
    }()

    /// More records than are read as a whole, and an index of the members of their lists.
    private static let indexed: [Part] = {
        let filling = (0..<2).map { batch in
            modify((0..<200).map { creating("i\(batch)-\($0)", type: "Tagged", #""n":{"value":[\#($0)]}"#) })
        }
        let filter =
            #"{"fieldName":"n","comparator":"LIST_CONTAINS","fieldValue":{"value":1,"type":"INT64"}}"#
        return filling + [query("Tagged", filters: [filter])]
    }()

    /// As many filters and values as fit into one request.
    static let subscriptions: WorstRequest = {
        let values = (1_000..<1_250).map { "\($0)" }.joined(separator: ",")
        let filter = #"{"fieldName":"n","comparator":"IN","fieldValue":{"value":[\#(values)],"type":"INT64_LIST"}}"#
        return WorstRequest(
            "200 subscriptions of 20 filters of 250 values",
            [modify([creating("sub", type: "Sub", #""n":{"value":1}"#)])], subscribing(200, to: "Sub", filter))
    }()

    /// 200 deletions of records with 49 dependent records each, each prevented by another reference.
    package static let cascades: WorstRequest = {
        let roots = (0..<200).map { creating("root\($0)", type: "Root", #""n":{"value":1}"#) }
        let holders = (0..<49).map { round in
            modify((0..<200).map { creating("h\(round)-\($0)", type: "Holder", reference("root\($0)", "DELETE_SELF")) })
        }
        let keepers = (0..<200).map { creating("k\($0)", type: "Keeper", reference("root\($0)", "VALIDATE")) }
        let deletions = (0..<200).map { #"{"operationType":"forceDelete","record":{"recordName":"root\#($0)"}}"# }
        return WorstRequest(
            "200 deletions that 9,800 records hang on, all refused", [modify(roots)] + holders + [modify(keepers)],
            Part("records/modify", #"{"operations":[\#(deletions.joined(separator: ","))]}"#))
    }()

    // MARK: Upkeep

    /// 50 changes with 20,000 members each, and 200 subscriptions that each compare them with 5,000 other values.
    static let matching: WorstRequest = {
        let values = (1_000..<1_250).map { "\($0)" }.joined(separator: ",")
        let filter = """
            {"fieldName":"numbers","comparator":"LIST_CONTAINS_ANY","fieldValue":{"value":[\(values)],"type":"INT64_LIST"}}
            """
        let members = Array(repeating: "1,2", count: 10_000).joined(separator: ",")
        return WorstRequest(
            "pump: 50 changes of 20,000 members, 200 subscriptions of 20 filters",
            [
                modify([creating("watched", type: "Watched", #""numbers":{"value":[1]}"#)]),
                Part("tokens/create", #"{"apnsEnvironment":"development"}"#),
                subscribing(200, to: "Watched", filter),
            ],
            modify((0..<50).map { replacing("w\($0)", type: "Watched", #""numbers":{"value":[\#(members)]}"#) }),
            goesOn: true)
    }()

    /// A sort that no index supports yet, by long texts.
    static let building: WorstRequest = {
        let text = String(repeating: "x", count: 900)
        let preparation = (0..<100).map { batch in
            modify((0..<200).map { creating("i\(batch)-\($0)", type: "Built", #""text":{"value":"\#($0)\#(text)"}"#) })
        }
        return WorstRequest(
            "an index over 20,000 texts", preparation,
            Part(
                "records/query",
                """
                {"query":{"recordType":"Built","sortBy":[{"fieldName":"text"}],"filterBy":[{"fieldName":"text",\
                "comparator":"GREATER_THAN","fieldValue":{"value":"0","type":"STRING"}}]},"resultsLimit":1}
                """),
            goesOn: true)
    }()

    /// The deletion of a zone with all its records.
    static let sweeping: WorstRequest = {
        let zone = #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"swept"}}}]}"#
        let filling = (0..<100).map { batch in
            modify((0..<200).map { creating("s\(batch)-\($0)", type: "Other", #""n":{"value":1}"#) }, zone: "swept")
        }
        return WorstRequest(
            "sweeping a zone of 20,000 records", [Part("zones/modify", zone)] + filling,
            Part(
                "zones/modify", #"{"operations":[{"operationType":"delete","zone":{"zoneID":{"zoneName":"swept"}}}]}"#),
            goesOn: true)
    }()

    // MARK: Parts

    private static func subscribing(_ count: Int, to type: String, _ filter: String) -> Part {
        let filters = Array(repeating: filter, count: 20).joined(separator: ",")
        let operations = (0..<count).map { number in
            """
            {"operationType":"create","subscription":{"subscriptionID":"s\(number)","subscriptionType":"query",\
            "firesOn":["create","update"],"query":{"recordType":"\(type)","filterBy":[\(filters)]}}}
            """
        }
        return Part("subscriptions/modify", #"{"operations":[\#(operations.joined(separator: ","))]}"#)
    }

    private static func reference(_ name: String, _ action: String) -> String {
        #""to":{"value":{"recordName":"\#(name)","action":"\#(action)"},"type":"REFERENCE"}"#
    }

    private static func creating(_ name: String, type: String, _ fields: String) -> String {
        saving("create", name, type: type, fields)
    }

    private static func replacing(_ name: String, type: String, _ fields: String) -> String {
        saving("forceReplace", name, type: type, fields)
    }

    private static func saving(_ operation: String, _ name: String, type: String, _ fields: String) -> String {
        """
        {"operationType":"\(operation)","record":{"recordName":"\(name)","recordType":"\(type)","fields":{\(fields)}}}
        """
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
