import DeliveryTesting
import Foundation
import NephosTesting
import Testing

/// docs/content.md on several servers of one database.
@Suite("Content on two servers", .serialized) struct PostgresContentTests {
    private static let container = "iCloud.test.chibi"

    /// Two servers of one store, and who asks them.
    private struct Cloud {
        let servers: [ServerProcess]
        let apiToken, editor: String

        /// - Parameter environments: Of the processes.
        init(_ environments: [[String: String]]) throws {
            let store = try TestStore()
            servers = try environments.map {
                try ServerProcess(["--allow-webhook", "127.0.0.1"], environment: $0, store: store)
            }
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
            try command("account", "create", "editor@example.org")
            try command("role", "assign", container, "Admin", "editor@example.org")
            editor = try command("session", "create", container, "editor@example.org")
        }

        /// - Parameter session: nil for the app alone.
        func client(_ session: String? = nil, at server: Int = 0) -> CloudKitClient {
            let credentials: Credentials =
                session.map { .person(apiToken: apiToken, webAuthToken: $0) } ?? .app(apiToken: apiToken)
            return CloudKitClient(port: servers[server].port, container: container, credentials: credentials)
        }

        /// Saves records that are shown from these times on, as the editor.
        func save(_ starts: [(name: String, start: Int64, until: Int64?)], at server: Int = 0) throws {
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
                let answer = try client(editor, at: server).post(
                    "records/modify", .public, ["operations": .array(operations)])
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
    func edges() async throws {
        // `EDGES=10000` for as many in a minute.
        let count = ProcessInfo.processInfo.environment["EDGES"].flatMap(Int.init) ?? 300
        let isLong = count > 1_000
        let hook = try await WebhookStandIn.start()
        let names = try await withTaskExecutorPreference(OwnThreads.ofTests) {
            let cloud = try Cloud([[:], [:]])
            // One that is there already, of which nobody is notified.
            try cloud.save([("there", Self.now - 60_000, nil)])
            try cloud.servers[0].command(
                "webhook", "create", Self.container, "--url", hook.url, "--record-type", "Chibi", "--on", "create")
            let (start, length) = (Self.now + (isLong ? 60_000 : 2_000), Int64(isLong ? 60_000 : 4_000))
            try cloud.save((0..<count).map { ("r\($0)", start + Int64($0) * length / Int64(count), nil) })
            func names() -> [String] {
                hook.requests.compactMap { try? JSON(reading: $0.body)["ck"]["qry"]["rid"].string }
            }
            _ = await hook.requests(atLeast: count / 3)
            try cloud.servers[0].kill()
            let areAllThere = Deadline(seconds: isLong ? 600 : 120).waits { Set(names()).count >= count }
            #expect(areAllThere)
            // Nothing comes after the last but what comes next.
            try cloud.save([("last", Self.now - 1, nil)], at: 1)
            let isOver = Deadline(seconds: 60).waits { names().contains("last") }
            #expect(isOver)
            return names()
        }
        await hook.stop()
        #expect(Set(names) == Set((0..<count).map { "r\($0)" } + ["last"]))
        // What the server that was killed had called, and not noted yet, is called again: as the same delivery.
        let deliveries = Set(hook.requests.compactMap { $0.header("nephos-delivery") })
        #expect(deliveries.count == count + 1, "\(hook.requests.count) calls")
    }
}
