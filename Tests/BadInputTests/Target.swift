import Foundation
import NephosTesting
import Synchronization

/// A server with some data, the target of bad requests.
final class Target: Sendable {
    let server: any TestServer
    let container = "iCloud.test.target"
    let other = "iCloud.test.other"
    /// API tokens: of the container in development and production, and of the other container.
    let apiToken, productionToken, otherToken: String
    /// Web auth tokens of Ada in this and in the other container, and of Grace in this one.
    let ada, adaElsewhere, grace: String
    /// A key of the container, one of the other container, and an unregistered one.
    let key, otherKey, strangerKey: RequestSigner
    /// Ada's change tokens, by place.
    let tokens: [String: String]
    /// The values of `tok=` in the URLs of devices: of Ada and Grace, of Ada in the other container, and of Ada in production.
    private let couriers: [String: String]
    /// The tickets of one upload and one download by Ada, in this and in the other container.
    let files: Tickets
    let filesElsewhere: Tickets
    private let logRead = Mutex(0)

    init(_ server: any TestServer) throws {
        self.server = server
        let command = server.command
        for id in [container, other] { try command("container", "create", id) }
        try Target.importSchema(into: container, command)
        apiToken = try command("token", "create", container)
        productionToken = try command("token", "create", container, "--environment", "production")
        otherToken = try command("token", "create", other)
        for email in ["ada@example.org", "grace@example.org"] { try command("account", "create", email) }
        ada = try command("session", "create", container, "ada@example.org")
        adaElsewhere = try command("session", "create", other, "ada@example.org")
        grace = try command("session", "create", container, "grace@example.org")
        let keys = try TemporaryFolder(prefix: "nephos-keys")
        func key(_ container: String) throws -> RequestSigner {
            let file = "\(keys.path)/\(container).pem"
            let id = try command("key", "create", container, "--generate", file)
            return try RequestSigner(keyID: id, pem: String(decoding: try readFile(file), as: UTF8.self))
        }
        self.key = try key(container)
        otherKey = try key(other)
        strangerKey = RequestSigner(keyID: String(repeating: "ab", count: 32))
        let people = [(container, apiToken, ada), (container, apiToken, grace), (other, otherToken, adaElsewhere)]
        tokens = try Target.fill(people, port: server.port)
        let session = try command("session", "create", container, "ada@example.org", "--environment", "production")
        couriers = try Target.register(
            people.map { ($0.0, "development", $0.1, $0.2) } + [(container, "production", productionToken, session)],
            port: server.port)
        files = try Tickets(of: people[0], port: server.port)
        filesElsewhere = try Tickets(of: people[2], port: server.port)
        try Target.subscribe(
            CloudKitClient(
                port: server.port, container: container,
                credentials: .person(apiToken: apiToken, webAuthToken: ada)))
    }

    /// Registers a device for each.
    private static func register(
        _ people: [(container: String, environment: String, apiToken: String, webAuthToken: String)], port: Int
    ) throws -> [String: String] {
        var couriers: [String: String] = [:]
        for (person, who) in zip(people, ["ada", "grace", "elsewhere", "production"]) {
            let client = CloudKitClient(
                port: port, container: person.container,
                credentials: .person(apiToken: person.apiToken, webAuthToken: person.webAuthToken))
            client.environment = person.environment
            let answer = try client.post("tokens/create", nil, ["apnsEnvironment": "development"]).json
            couriers[who] = answer["webcourierURL"].string?.firstMatch(of: /tok=([^&]+)/).map { String($0.1) }
        }
        return couriers
    }

    private static func subscribe(_ client: CloudKitClient) throws {
        let subscription: JSON = [
            "subscriptionID": "good", "subscriptionType": "query", "query": ["recordType": "Note"],
            "firesOn": ["update"],
        ]
        for database in [Database.private, .public] {
            _ = try client.post(
                "subscriptions/modify", database,
                ["operations": [["operationType": "create", "subscription": subscription]]])
        }
    }

    /// The token in a device's URL, by its name in ``couriers``.
    func courierToken(_ who: String) throws -> String {
        guard let token = couriers[who] else { throw Unregistered(who: who) }
        return token
    }

    struct Unregistered: Error { var who: String }

    /// Permits queries for all notes, and adds fields that permit nothing; the others are created by the first save.
    private static func importSchema(into container: String, _ command: NephosCommand) throws {
        let folder = try TemporaryFolder(prefix: "nephos-schema")
        let note = TestContainer.recordType(
            "Note",
            [#""___recordID" REFERENCE QUERYABLE SORTABLE"#, "plain STRING", "secret ENCRYPTED STRING", "file ASSET"])
        try writeFile("\(folder.path)/schema.ckdb", Array("DEFINE SCHEMA \(note)".utf8))
        try command("schema", "import", container, "\(folder.path)/schema.ckdb")
    }

    /// Saves some records for each user, and collects change tokens.
    private static func fill(_ people: [(String, String, String)], port: Int) throws -> [String: String] {
        var tokens: [String: String] = [:]
        for ((container, apiToken, webAuthToken), who) in zip(people, ["ada", "grace", "elsewhere"]) {
            let client = CloudKitClient(
                port: port, container: container,
                credentials: .person(apiToken: apiToken, webAuthToken: webAuthToken))
            for zone in ["Notes", "More"] {
                _ = try client.post(
                    "zones/modify", .private,
                    ["operations": [["operationType": "create", "zone": ["zoneID": ["zoneName": .string(zone)]]]]])
                _ = try client.post(
                    "records/modify", .private,
                    ["zoneID": ["zoneName": .string(zone)], "operations": .array((0..<3).map(note))])
                let changes = try client.post(
                    "changes/zone", .private, ["zones": [["zoneID": ["zoneName": .string(zone)]]]]
                ).json
                tokens["\(who) \(zone)"] = changes["zones"][0]["syncToken"].string
            }
            tokens["\(who) database"] = try client.post("changes/database").json["syncToken"].string
            _ = try client.post("records/modify", .private, ["operations": .array((0..<3).map(note))])
        }
        return tokens
    }

    static func note(_ number: Int) -> JSON {
        [
            "operationType": "forceUpdate",
            "record": [
                "recordName": "note\(number)", "recordType": "Note",
                "fields": [
                    "text": ["value": "text \(number)", "type": "STRING"], "count": ["value": 3, "type": "INT64"],
                    "data": ["value": "AAEC", "type": "BYTES"],
                    "place": ["value": ["latitude": 1.5, "longitude": 2.5], "type": "LOCATION"],
                    "day": ["value": 1_700_000_000_000, "type": "TIMESTAMP"],
                    "tags": ["value": ["a", "b"], "type": "STRING_LIST"], "ratio": ["value": 0.5, "type": "DOUBLE"],
                ],
            ],
        ]
    }

    // MARK: Clients

    func client(_ credentials: Credentials) -> CloudKitClient {
        CloudKitClient(port: server.port, container: container, credentials: credentials)
    }

    /// Ada, signed in.
    var adaCredentials: Credentials { .person(apiToken: apiToken, webAuthToken: ada) }
    /// The query that adds her credentials to any request.
    var adaQuery: String { adaCredentials.query.joined(separator: "&") }

    // MARK: State

    /// A valid request failed.
    struct Unreadable: Error { var status: Int }

    /// Everything readable in the container: zones, feeds, records, users, subscriptions.
    func state() throws -> String {
        let client = client(adaCredentials)
        var parts = [try client.get("users/caller", .public), try client.get("zones/list")]
        parts.append(try client.post("changes/database"))
        let zones: JSON = [["zoneID": ["zoneName": "Notes"]], ["zoneID": ["zoneName": "More"]]]
        parts.append(try client.post("changes/zone", .private, ["zones": zones]))
        parts.append(try client.post("records/query", .private, ["query": ["recordType": "Note"]]))
        let names: JSON = .array((0..<3).map { ["recordName": "note\($0)"] })
        parts.append(try client.post("records/lookup", .public, ["records": names]))
        for database in [Database.private, .public] { parts.append(try client.get("subscriptions/list", database)) }
        for part in parts where part.status != 200 { throw Unreadable(status: part.status) }
        return try parts.map { "\(try $0.json)" }.joined(separator: "\n")
    }

    /// The issued secrets, which must not appear anywhere.
    var secrets: [String] {
        let tokens =
            [apiToken, productionToken, otherToken, ada, adaElsewhere, grace, files.upload, files.download]
            + couriers.values
        // The last part of a token is its seal; a seal without its head is a secret, too.
        return tokens + tokens.map { String($0.suffix(24)) }
    }

    /// The server's log since the last call.
    func newLog() throws -> String {
        try logRead.withLock { read in
            let log = try server.log(after: read)
            read = log.place
            return log.text
        }
    }
}
