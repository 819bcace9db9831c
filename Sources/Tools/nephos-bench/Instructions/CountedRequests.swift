import NephosTesting
import Synchronization

/// A server with a zone of 100,000 records of ten fields, and the requests whose instructions are measured.
struct CountedRequests {
    static let zone = "Hundred"
    static let records = 100_000

    /// One row of the table.
    struct Row: Sendable {
        let name: String
        /// The number of requests to count; small for expensive ones.
        let count: Int
        /// Sent before each count; nil for most.
        var prepare: (@Sendable (CloudKitClient) throws -> Void)?
        /// Sends one request. The number differs each time.
        let send: @Sendable (CloudKitClient, Int) throws -> HTTPResponse
    }

    let container = "iCloud.test.bench"
    let store: TestStore
    private let credentials: Credentials

    /// Fills a store with `program`, and stops it.
    init(program: String) throws {
        store = try TestStore(.sqlite)
        let server = try ServerProcess(executable: program, store: store)
        try server.command("container", "create", container)
        try server.command("account", "create", "ada@example.org")
        credentials = .person(
            apiToken: try server.command("token", "create", container),
            webAuthToken: try server.command("session", "create", container, "ada@example.org"))
        try importSchema(server)
        let client = client(server)
        try Self.ask(
            client, "zones/modify",
            #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"\#(Self.zone)"}}}]}"#)
        for start in stride(from: 0, to: Self.records, by: 200) {
            try Self.ask(client, "records/modify", Self.saving((start..<start + 200).map { "r\($0)" }, from: start))
        }
        try server.stop()
    }

    func client(_ server: ServerProcess) -> CloudKitClient {
        CloudKitClient(port: server.port, container: container, credentials: credentials, timeout: 120)
    }

    /// Imports what queries need; the rest of the schema grows by itself.
    private func importSchema(_ server: ServerProcess) throws {
        let folder = try TemporaryFolder(prefix: "nephos-bench")
        let schema = """
            DEFINE SCHEMA
                RECORD TYPE Note (
                    kind STRING QUERYABLE,
                    count INT64 QUERYABLE SORTABLE
                );
            """
        try writeFile(folder.path + "/bench.ckdb", Array(schema.utf8))
        try server.command("schema", "import", container, folder.path + "/bench.ckdb")
    }

    /// All rows except the query, in the order of measurement.
    func rows(_ client: CloudKitClient) throws -> [Row] {
        let changes = #"{"zones":[{"zoneID":{"zoneName":"\#(Self.zone)"}TOKEN}]}"#
        let fromStart = changes.replacing("TOKEN", with: "")
        let atEnd = Mutex(fromStart)
        // To the end of the feed, page by page: other rows save records.
        let follow: @Sendable (CloudKitClient) throws -> Void = { client in
            while true {
                let zone = try Self.ask(client, "changes/zone", atEnd.withLock(\.self)).json["zones"][0]
                let token = zone["syncToken"].string ?? ""
                atEnd.withLock { $0 = changes.replacing("TOKEN", with: #","syncToken":"\#(token)""#) }
                if zone["moreComing"] != true { break }
            }
        }
        let echo = [UInt8](repeating: 0x20, count: 900)
        return [
            Row(name: "echo of 900 bytes", count: 400) { client, _ in
                try client.send("POST", "/bench/echo?bytes=900", body: echo)
            },
            Row(name: "/healthz", count: 400) { client, _ in try client.send("GET", "/healthz", body: nil) },
            Row(name: "lookup of 1 record", count: 400) { client, number in
                try Self.ask(
                    client, "records/lookup",
                    #"{"zoneID":{"zoneName":"\#(Self.zone)"},"records":[{"recordName":"r\#(number * 241 % Self.records)"}]}"#
                )
            },
            Row(name: "changes with nothing new", count: 400, prepare: follow) { client, _ in
                try Self.ask(client, "changes/zone", atEnd.withLock(\.self))
            },
            Row(name: "changes page of 200", count: 40) { client, _ in
                try Self.ask(client, "changes/zone", fromStart)
            },
            Row(name: "create of 1 record, 10 fields", count: 200) { client, number in
                try Self.ask(client, "records/modify", Self.saving(["one\(number)"], from: number))
            },
            Row(name: "modify of 200 records", count: 10) { client, number in
                try Self.ask(
                    client, "records/modify", Self.saving((0..<200).map { "many\(number)-\($0)" }, from: number))
            },
        ]
    }

    static let query = Row(name: "query of 50 by a value, another sort", count: 40) { client, _ in
        try ask(
            client, "records/query",
            """
            {"zoneID":{"zoneName":"\(zone)"},"resultsLimit":50,"query":{"recordType":"Note","filterBy":[\
            {"fieldName":"kind","comparator":"EQUALS","fieldValue":{"value":"kind7"}}],\
            "sortBy":[{"fieldName":"count","ascending":true}]}}
            """)
    }

    /// Repeats the query until its indexes are ready and the server is idle.
    func buildIndex(program: String) throws {
        let server = try ServerProcess(executable: program, store: store)
        let client = client(server)
        var (quiet, before) = (0, try server.usage.cpuNanoseconds)
        let isBuilt = try Deadline(seconds: 120).waits {
            let answer = try Self.query.send(client, 0)
            _ = Deadline(seconds: 0.5).waits { false }
            let now = try server.usage.cpuNanoseconds
            quiet = answer.status == 200 && now - before < 20_000_000 ? quiet + 1 : 0
            before = now
            return quiet >= 2
        }
        guard isBuilt else { throw Wrk.Failure(description: "the index was not ready within 120 s") }
        try server.stop()
    }

    @discardableResult
    private static func ask(_ client: CloudKitClient, _ endpoint: String, _ body: String) throws -> HTTPResponse {
        try client.send("POST", client.path(endpoint, .private), body: Array(body.utf8))
    }

    /// A body that creates records whose numbers and kinds depend on their index.
    private static func saving(_ names: [String], from start: Int) -> String {
        let operations = names.enumerated().map { index, name in
            let number = start + index
            return """
                {"operationType":"create","record":{"recordName":"\(name)","recordType":"Note","fields":{\
                "title":{"value":"A short note","type":"STRING"},"kind":{"value":"kind\(number % 50)","type":"STRING"},\
                "count":{"value":\(100_000 + number * 7_919 % 100_003),"type":"INT64"},"done":{"value":1,"type":"INT64"},\
                "rank":{"value":7,"type":"INT64"},"ratio":{"value":0.625,"type":"DOUBLE"},\
                "day":{"value":1700000000123,"type":"TIMESTAMP"},"data":{"value":"AAECAwQF","type":"BYTES"},\
                "tags":{"value":["a","b"],"type":"STRING_LIST"},\
                "place":{"value":{"latitude":52.52,"longitude":13.4},"type":"LOCATION"}}}}
                """
        }
        return #"{"zoneID":{"zoneName":"\#(zone)"},"operations":[\#(operations.joined(separator: ","))]}"#
    }
}
