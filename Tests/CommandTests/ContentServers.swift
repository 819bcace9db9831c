import DeliveryTesting
import Foundation
import NephosTesting
import Testing

/// Servers of one store with one type of content records, and their clients.
struct ContentServers {
    static let container = "iCloud.test.chibi"
    /// By this machine's clock, in milliseconds since 1970.
    static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    private(set) var servers: [ServerProcess]
    private let store: TestStore
    let apiToken, editor: String

    /// - Parameter environments: One per server process.
    init(_ environments: [[String: String]]) throws {
        let store = try TestStore()
        self.store = store
        servers = try environments.map { try Self.server(of: store, $0) }
        let command = servers[0].command
        try command("container", "create", Self.container)
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
        try command("schema", "import", Self.container, folder.path + "/schema")
        try writeFile(folder.path + "/settings", "version: 1\ncontent:\n  Chibi: {until: until}\n".utf8)
        try command("settings", "import", Self.container, folder.path + "/settings")
        apiToken = try command("token", "create", Self.container)
        try command("account", "create", "editor@example.org")
        try command("role", "assign", Self.container, "Admin", "editor@example.org")
        editor = try command("session", "create", Self.container, "editor@example.org")
    }

    private static func server(of store: TestStore, _ environment: [String: String]) throws -> ServerProcess {
        try ServerProcess(["--allow-webhook", "127.0.0.1"], environment: environment, store: store)
    }

    /// Kills the first server, and starts another with this environment.
    mutating func restart(_ environment: [String: String]) throws {
        try servers[0].kill()
        servers[0] = try Self.server(of: store, environment)
    }

    /// - Parameter session: nil for the app without a user.
    func client(_ session: String? = nil, at server: Int = 0) -> CloudKitClient {
        let credentials: Credentials =
            session.map { .person(apiToken: apiToken, webAuthToken: $0) } ?? .app(apiToken: apiToken)
        return CloudKitClient(port: servers[server].port, container: Self.container, credentials: credentials)
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

extension WebhookStandIn {
    /// The records of the received calls, in order.
    var recordNames: [String] { requests.compactMap(\.recordName) }

    /// The same, each delivery once: a call that a killed server had not recorded yet is repeated.
    var recordsDelivered: [String] {
        var seen: Set<String> = []
        return requests.compactMap { request in
            guard let delivery = request.header("nephos-delivery"), seen.insert(delivery).inserted else { return nil }
            return request.recordName
        }
    }
}

extension RecordedRequest {
    fileprivate var recordName: String? { try? JSON(reading: body)["ck"]["qry"]["rid"].string }
}
