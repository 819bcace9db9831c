import Foundation
import NephosTesting
import Testing

/// Servers with a guest book on one store, with users who may sign.
final class GuestBookServer: Sendable {
    static let container = "iCloud.test.guests"

    let servers: [ServerProcess]
    let apiToken: String
    private let sessions: [String]

    /// - Parameter environment: Of each server.
    init(servers count: Int = 1, people: Int = 2, environment: [String: String] = [:]) throws {
        let executable = try builtProgram("nephos-guestbook", orNamedBy: "NEPHOS_GUESTBOOK_EXECUTABLE")
        let store = try TestStore()
        servers = try (0..<count).map { _ in
            try ServerProcess(environment: environment, executable: executable, store: store)
        }
        let command = servers[0].command
        try command("container", "create", Self.container)
        let folder = try TemporaryFolder(prefix: "nephos-guestbook")
        try writeFile(folder.path + "/schema", Self.schema.utf8)
        try command("schema", "import", Self.container, folder.path + "/schema")
        apiToken = try command("token", "create", Self.container)
        sessions = try (0..<people).map { number in
            try command("account", "create", "guest\(number)@example.org")
            return try command("session", "create", Self.container, "guest\(number)@example.org")
        }
    }

    private static let schema = """
        DEFINE SCHEMA
            RECORD TYPE Signature (
                "___recordID" REFERENCE QUERYABLE,
                text STRING QUERYABLE,
                opens TIMESTAMP QUERYABLE SORTABLE,
                ends TIMESTAMP,
                GRANT WRITE TO "_creator",
                GRANT CREATE TO "_icloud",
                GRANT READ TO "_world"
            );
        """

    var first: ServerProcess { servers[0] }

    /// - Parameter person: nil for the app without a user.
    func client(_ person: Int? = nil, at server: Int = 0) -> CloudKitClient {
        let credentials: Credentials =
            person.map { .person(apiToken: apiToken, webAuthToken: sessions[$0]) } ?? .app(apiToken: apiToken)
        return CloudKitClient(port: servers[server].port, container: Self.container, credentials: credentials)
    }

    func keep(_ settings: String) throws -> CommandResult {
        let folder = try TemporaryFolder(prefix: "nephos-guestbook")
        try writeFile(folder.path + "/settings", settings.utf8)
        return try first.command.run(["guestbook", "set", Self.container, folder.path + "/settings"])
    }

    /// Runs `check` on the store, which fails for any finding.
    func check() throws { try first.command("check") }

    /// The number of added and removed signatures that the first server has folded into rows.
    func folded() throws -> Int64 {
        let answer = try HTTPConnection(port: first.port).exchange(HTTPRequest("GET", "/metrics"))
        let lines = String(decoding: answer.body, as: UTF8.self).split(separator: "\n")
        let line = lines.first { $0.hasPrefix("nephos_guestbook_folded ") }
        return Int64(try #require(line?.split(separator: " ").last.flatMap { Double($0) }))
    }

    /// Milliseconds since 1970.
    var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    static let path = "/nephos/1/\(container)/development/guestbook/"
}

/// The contents of the summary.
struct Counts: Equatable {
    var signed, removed: Int64

    init(signed: Int64, removed: Int64) { (self.signed, self.removed) = (signed, removed) }

    init(_ response: HTTPResponse) throws {
        let json = try response.json
        signed = try #require(json["signed"].int64)
        removed = try #require(json["removed"].int64)
    }
}

extension CloudKitClient {
    /// Returns the reason of a rejection, or "". - Parameter opens: The time from which it is shown.
    func sign(_ name: String, _ text: String, opens: Int64 = 1, kind: String = "create") throws -> String {
        let fields: JSON = [
            "text": ["value": .string(text)], "opens": ["value": .int(opens), "type": "TIMESTAMP"],
        ]
        return try modify([
            "operationType": .string(kind),
            "record": ["recordName": .string(name), "recordType": "Signature", "fields": fields],
        ])
    }

    func remove(_ name: String) throws -> String {
        try modify(["operationType": "forceDelete", "record": ["recordName": .string(name)]])
    }

    private func modify(_ operation: JSON) throws -> String {
        let answer = try post("records/modify", .public, ["operations": [operation]])
        let json = try answer.json
        return json["records"][0]["reason"].string ?? json["reason"].string ?? ""
    }

    func counts() throws -> Counts { try Counts(send("GET", GuestBookServer.path + "summary", body: nil)) }

    /// Names of the visible signatures.
    func signatures() throws -> [String] {
        let query: JSON = ["query": ["recordType": "Signature"], "resultsLimit": 200]
        return try post("records/query", .public, query).json["records"].elements.compactMap { $0["recordName"].string }
    }
}
