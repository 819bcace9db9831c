import Foundation
import NephosTesting
import Testing

/// docs/content.md on several servers of one database.
@Suite("Content on two servers", .serialized) struct PostgresContentTests {
    private static let container = "iCloud.test.chibi"

    /// Two servers of one store, and who asks them.
    private struct Cloud {
        let servers: [ServerProcess]
        let apiToken, editor, reader: String

        /// - Parameter environments: Of the processes.
        init(_ environments: [[String: String]]) throws {
            let store = try TestStore()
            servers = try environments.map { try ServerProcess(environment: $0, store: store) }
            let command = servers[0].command
            try command("container", "create", container)
            let folder = try TemporaryFolder(prefix: "nephos-content")
            let schema = """
                DEFINE SCHEMA
                    CREATE ROLE Admin;
                    RECORD TYPE Chibi (
                        "___recordID" REFERENCE QUERYABLE, publishedAt TIMESTAMP QUERYABLE SORTABLE, until TIMESTAMP,
                        GRANT READ, WRITE, CREATE TO Admin, GRANT READ TO "_world"
                    );
                """
            try writeFile(folder.path + "/schema", schema.utf8)
            try command("schema", "import", container, folder.path + "/schema")
            try writeFile(folder.path + "/settings", "version: 1\ncontent:\n  Chibi: {until: until}\n".utf8)
            try command("settings", "import", container, folder.path + "/settings")
            apiToken = try command("token", "create", container)
            for person in ["editor", "reader"] { try command("account", "create", "\(person)@example.org") }
            try command("role", "assign", container, "Admin", "editor@example.org")
            editor = try command("session", "create", container, "editor@example.org")
            reader = try command("session", "create", container, "reader@example.org")
        }

        /// - Parameter session: nil for the app alone.
        func client(_ session: String? = nil, at server: Int = 0) -> CloudKitClient {
            let credentials: Credentials =
                session.map { .person(apiToken: apiToken, webAuthToken: $0) } ?? .app(apiToken: apiToken)
            return CloudKitClient(port: servers[server].port, container: container, credentials: credentials)
        }

        /// Saves records that are shown from these times on, as the editor.
        func save(_ starts: [(name: String, start: Int64, until: Int64?)]) throws {
            for first in stride(from: 0, to: starts.count, by: 200) {
                let operations = starts[first..<min(first + 200, starts.count)].map { item -> JSON in
                    func time(_ time: Int64) -> JSON { ["value": JSON.number("\(time)"), "type": "TIMESTAMP"] }
                    let fields: JSON =
                        item.until.map { ["publishedAt": time(item.start), "until": time($0)] }
                        ?? ["publishedAt": time(item.start)]
                    return [
                        "operationType": "create",
                        "record": ["recordType": "Chibi", "recordName": .string(item.name), "fields": fields],
                    ]
                }
                let answer = try client(editor).post("records/modify", .public, ["operations": .array(operations)])
                #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
            }
        }

        func isShown(_ name: String, at server: Int) throws -> Bool {
            let answer = try client(at: server).post(
                "records/lookup", .public, ["records": [["recordName": .string(name)]]])
            return try answer.json["records"][0]["serverErrorCode"].string == nil
        }
    }

    /// As the database has it, which is on this machine.
    private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    #if os(Linux)
        @Test(
            "Servers whose clocks are 2.5 s before and after the database's show content at its time, and none before (S0-54)"
        )
        func clocks() throws {
            let library = try PreloadedLibrary("late-clock")
            let cloud = try Cloud(
                ["-2.5", "2.5"].map { library.environment.merging(["LATE_CLOCK_SECONDS": $0]) { $1 } })
            let (start, end) = (Self.now + 1_500, Self.now + 3_000)
            try cloud.save([("a", start, end)])
            var looks = [0, 0]
            while Self.now < end + 1_000 {
                for server in 0..<2 {
                    let before = Self.now
                    let isShown = try cloud.isShown("a", at: server)
                    let after = Self.now
                    if isShown { looks[server] += 1 }
                    #expect(
                        !isShown || after >= start, "server \(server) showed it \(start - after) ms before its time")
                    // A second is far less than their clocks are off.
                    #expect(
                        !isShown || before < end + 1_000, "server \(server) showed it \(before - end) ms after its end")
                    #expect(
                        isShown || before < start + 1_000 || after >= end,
                        "server \(server) hid it \(before - start) ms after its time")
                }
            }
            #expect(looks.allSatisfy { $0 > 0 })
        }
    #endif

    @Test("What appears in a while is notified once each, though one of two servers is killed meanwhile")
    func edges() throws {
        // `EDGES=10000` for as many in a minute.
        let count = ProcessInfo.processInfo.environment["EDGES"].flatMap(Int.init) ?? 300
        let length = Int64(count > 1_000 ? 60_000 : 4_000)
        let cloud = try Cloud([[:], [:]])
        let reader = cloud.client(cloud.reader, at: 1)
        let device = try reader.send(
            "POST", "/device/1/\(Self.container)/development/tokens/create",
            body: (["apnsEnvironment": "development", "clientId": "reader"] as JSON).bytes
        ).json
        let url = try #require(device["webcourierURL"].string)
        let place = String(url.dropFirst("http://127.0.0.1:\(cloud.servers[1].port)".count))
        // One that is there already, of which nobody is notified.
        try cloud.save([("there", Self.now - 60_000, nil)])
        let subscription: JSON = [
            "subscriptionID": "s", "subscriptionType": "query", "query": ["recordType": "Chibi"], "firesOn": ["create"],
        ]
        let answer = try reader.post(
            "subscriptions/modify", .public,
            ["operations": [["operationType": "create", "subscription": subscription]]])
        #expect(answer.status == 200)
        let start = Self.now + (count > 1_000 ? 30_000 : 2_000)
        try cloud.save((0..<count).map { ("r\($0)", start + Int64($0) * length / Int64(count), nil) })
        var names: [String] = []
        let connection = try HTTPConnection(port: cloud.servers[1].port, timeout: 60)
        while names.count < count {
            let told = try connection.exchange(HTTPRequest("GET", place)).json
            guard let name = told["ck"]["qry"]["rid"].string else { continue }
            names.append(name)
            if names.count == count / 3 { try cloud.servers[0].kill() }
        }
        #expect(Set(names) == Set((0..<count).map { "r\($0)" }), "\(names.count) were notified of")
        // Nothing comes before what comes next.
        let last = cloud.client(cloud.editor, at: 1)
        let fields: JSON = ["publishedAt": ["value": JSON.number("\(Self.now - 1)"), "type": "TIMESTAMP"]]
        _ = try last.post(
            "records/modify", .public,
            [
                "operations": [
                    [
                        "operationType": "create",
                        "record": ["recordType": "Chibi", "recordName": "last", "fields": fields],
                    ]
                ]
            ])
        let told = try connection.exchange(HTTPRequest("GET", place)).json
        #expect(told["ck"]["qry"]["rid"].string == "last")
    }
}
