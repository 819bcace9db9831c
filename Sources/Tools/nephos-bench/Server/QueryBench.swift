import NephosTesting

/// A zone of 100,000 records for measuring queries.
struct QueryBench {
    static let zone = "Hundred"
    static let records = 100_000
    /// One in this many records contains the searched word.
    private static let needleEvery = 2_000

    let cloud: BenchCloud

    init(environment: [String: String] = [:]) throws {
        cloud = try BenchCloud(environment: environment)
        try importSchema()
        try cloud.post(
            "zones/modify",
            ["operations": [["operationType": "create", "zone": ["zoneID": ["zoneName": .string(Self.zone)]]]]])
        for start in stride(from: 0, to: Self.records, by: 200) {
            let operations = (start..<(start + 200)).map(Self.operation).joined(separator: ",")
            let body = #"{"zoneID":{"zoneName":"\#(Self.zone)"},"operations":[\#(operations)]}"#
            let response = try cloud.client.send(
                "POST", cloud.client.path("records/modify", .private), body: Array(body.utf8))
            guard response.status == 200 else { throw Wrk.Failure(description: "filling: \(response.status)") }
        }
    }

    /// The schema that saves in development would create, with the right to list all records.
    private func importSchema() throws {
        let folder = try TemporaryFolder(prefix: "nephos-bench")
        let schema = """
            DEFINE SCHEMA
                RECORD TYPE Item (
                    "___recordID" REFERENCE QUERYABLE,
                    number INT64 QUERYABLE SORTABLE,
                    category STRING QUERYABLE SORTABLE,
                    text STRING SEARCHABLE,
                    place LOCATION QUERYABLE,
                    published TIMESTAMP QUERYABLE SORTABLE
                );
            """
        try writeFile(folder.path + "/bench.ckdb", Array(schema.utf8))
        try cloud.server.command("schema", "import", cloud.container, folder.path + "/bench.ckdb")
    }

    /// Adds this many other users, each with 100 records of the same type in their private database.
    func addNeighbours(_ count: Int) throws {
        for number in 0..<count {
            let client = try cloud.newUser("neighbour\(count)-\(number)@example.org")
            let operations = (0..<100).map(Self.operation).joined(separator: ",")
            let response = try client.send(
                "POST", client.path("records/modify", .private), body: Array(#"{"operations":[\#(operations)]}"#.utf8))
            guard response.status == 200 else { throw Wrk.Failure(description: "neighbours: \(response.status)") }
        }
    }

    /// A record of 500 bytes: a scattered number, one of 50 categories, some words, and a location on a grid of 0.3 by 1.4 degrees.
    private static func operation(_ index: Int) -> String {
        let number = index * 7_919 % 100_003
        let word = index % needleEvery == 7 ? "needle" : "hay\(index % 97)"
        let (latitude, longitude) = (Double(index % 400) * 0.3 - 60, Double(index / 400) * 1.4 - 175)
        return """
            {"operationType":"create","record":{"recordName":"i\(index)","recordType":"Item","fields":{\
            "number":{"value":\(number),"type":"INT64"},"category":{"value":"c\(index % 50)","type":"STRING"},\
            "text":{"value":"A \(word) among \(number % 1_000) straws","type":"STRING"},\
            "place":{"value":{"latitude":\(latitude),"longitude":\(longitude)},"type":"LOCATION"},\
            "published":{"value":\(1_700_000_000_000 + number),"type":"TIMESTAMP"}}}}
            """
    }

    private static let category = #"{"fieldName":"category","comparator":"EQUALS","fieldValue":{"value":"c7"}}"#
    private static let byNumber = #"{"fieldName":"number","ascending":true}"#

    /// 50 records by number.
    static let sorted = body(sorts: byNumber)
    /// 50 records of one category with 2 % of all, by number: a query that a combined index serves.
    static let filtered = body(filters: category, sorts: byNumber)
    /// The same with a range, which a combined index cannot serve: the cost of the query above without its index.
    static let ranged = body(
        filters: """
            {"fieldName":"category","comparator":"GREATER_THAN_OR_EQUALS","fieldValue":{"value":"c7"}},\
            {"fieldName":"category","comparator":"LESS_THAN_OR_EQUALS","fieldValue":{"value":"c7"}}
            """, sorts: byNumber)
    static let searched = body(
        filters: #"{"fieldName":"text","comparator":"CONTAINS_ALL_TOKENS","fieldValue":{"value":"Needle"}}"#)
    /// About 50 locations of the grid.
    static let near = body(
        filters: """
            {"fieldName":"place","comparator":"NEAR","distance":287000,\
            "fieldValue":{"value":{"latitude":0.1,"longitude":0.2},"type":"LOCATION"}}
            """)

    private static func body(filters: String = "", sorts: String = "") -> String {
        """
        {"zoneID":{"zoneName":"\(zone)"},"resultsLimit":50,\
        "query":{"recordType":"Item","filterBy":[\(filters)],"sortBy":[\(sorts)]}}
        """
    }

    func testCase(_ name: String, _ body: String, _ wrk: Wrk, aim: Case.Aim) throws -> Case {
        let answer = try cloud.client.send("POST", cloud.client.path("records/query", .private), body: Array(body.utf8))
        return Case(
            name: name, script: "fixed.lua",
            arguments: [cloud.target("records/query"), try wrk.file("query-\(body.hashValue)", Array(body.utf8))],
            bytesIn: body.utf8.count, bytesOut: answer.body.count, records: 50, aim: aim)
    }

    /// Repeats the query until it succeeds, and then waits until the server is idle.
    func waitForIndexes(of body: String) throws {
        let start = ContinuousClock.now
        var (quiet, before) = (0, try cloud.server.usage.cpuNanoseconds)
        while quiet < 2 {
            let client = cloud.client
            let answer = try client.send("POST", client.path("records/query", .private), body: Array(body.utf8))
            _ = Deadline(seconds: 0.5).waits { false }
            let now = try cloud.server.usage.cpuNanoseconds
            quiet = answer.status == 200 && now - before < 20_000_000 ? quiet + 1 : 0
            before = now
            guard ContinuousClock.now - start < .seconds(120) else {
                throw Wrk.Failure(description: "the index was not ready within 120 s: \(answer.status)")
            }
        }
    }
}
