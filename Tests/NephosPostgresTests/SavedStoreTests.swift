import Foundation
import NephosTesting
import Testing

/// docs/running.md, "Updates one by one" and "Backups", for `saved-store.sql`: what a server of that time wrote into a database.
/// `make-saved-store` documents how it was made, and when to make another.
@Suite("A database of an earlier version") struct SavedStoreTests {
    private static let file =
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "saved-store.sql").path

    private let cloud: TestCloud
    private let container: TestContainer
    private let mary: CloudKitClient
    private let john: CloudKitClient

    init() throws {
        let store = try TestStore(.postgres)
        try store.database?.run(file: Self.file)
        cloud = try TestCloud(store: store)
        container = try TestContainer(id: "iCloud.org.example.notes", cloud: cloud)
        (mary, john) = try (container.known("mary@example.org"), container.known("john@example.org"))
    }

    private func expectSound() throws {
        let check = try cloud.server.command.run(["check"])
        #expect(check.status == 0, "\(check)")
    }

    @Test("opens with its containers, people, roles, indexes and trash, and its check finds nothing")
    func opens() throws {
        try expectSound()
        let nephos = cloud.server.command
        #expect(try nephos("container", "list") == "iCloud.org.example.notes\niCloud.org.example.other")
        #expect(try nephos("role", "list", container.id).contains("john@example.org"))
        #expect(try nephos("index", "list", container.id).contains("title:asc"))
        #expect(try nephos("trash", "list", container.id).contains("gone"))
        let schema = try nephos("schema", "export", container.id, "--environment", "production")
        #expect(schema.contains("CREATE ROLE Editor"))
    }

    @Test("returns records with their references, and feeds from clients' existing tokens")
    func reads() throws {
        let page = try mary.records("lookup", ["zoneID": Self.shelf, "records": [["recordName": "page"]]])
        #expect(page.first?["recordChangeTag"] == "8")
        #expect(page.first?["fields"]["text"]["value"] == "It was on a dreary night of November")
        #expect(page.first?["fields"]["book"]["value"]["recordName"] == "book")

        #expect(try feed(since: .absent) == ["book", "later", "page"])
        #expect(try feed(since: oldToken) == ["later", "page", "doomed, deleted"])
    }

    @Test("accepts saves, deletions and queries like any other")
    func goesOn() throws {
        let update: JSON = [
            "operationType": "update",
            "record": [
                "recordName": "page", "recordType": "Note", "recordChangeTag": "8", "fields": ["stars": ["value": 5]],
            ],
        ]
        let updated = try mary.records("modify", ["zoneID": Self.shelf, "operations": [update]])
        #expect(updated.first?["fields"]["stars"]["value"] == 5)
        // Also deletes the records that reference it with DELETE_SELF.
        let deletion: JSON = ["operationType": "forceDelete", "record": ["recordName": "book"]]
        _ = try mary.records("modify", ["zoneID": Self.shelf, "operations": [deletion]])
        #expect(try feed(since: .absent) == ["page"])
        #expect(try Set(feed(since: oldToken)) == ["page", "book, deleted", "later, deleted", "doomed, deleted"])

        // An editor may change other users' records.
        try save(["mine"], "Corrected", as: john)
        // Enough records that a query needs the index, which contains the old ones.
        for hundred in 0..<3 { try save((0..<100).map { "more-\(hundred)-\($0)" }, "Last", as: mary) }
        let query: JSON = [
            "query": ["recordType": "Article", "sortBy": [["fieldName": "title"]]], "resultsLimit": 3,
        ]
        let found = try mary.records("query", query, .public).map { $0["fields"]["title"]["value"] }
        #expect(found == ["By John", "Corrected", "Last"])
        try expectSound()
    }

    @Test("has zones without a client token, and stores a new one")
    func clientToken() throws {
        mary.headers.append(HTTPHeader("X-Nephos-Client", "1"))
        func token() throws -> JSON {
            let answer = try mary.post("changes/zone", .private, ["zones": [["zoneID": Self.shelf]]])
            return try answer.json["zones"][0]["clientChangeToken"]
        }
        #expect(try token().isAbsent)
        let deletion: JSON = ["operationType": "forceDelete", "record": ["recordName": "later"]]
        let body: JSON = ["zoneID": Self.shelf, "operations": [deletion], "clientChangeToken": "AQI="]
        _ = try mary.records("modify", body)
        #expect(try token() == "AQI=")
        try expectSound()
    }

    @Test("lists its credentials, and revokes them")
    func credentials() throws {
        let nephos = cloud.server.command
        #expect(try mary.post("zones/list", .private, [:]).status == 200)
        #expect(try nephos("account", "list").contains("mary@example.org"))
        // Two that were created then, and two now.
        #expect(try nephos("session", "list", container.id).split(separator: "\n").count == 5)
        let result = try nephos.run(["session", "revoke", "--all", "mary@example.org"])
        #expect(result.errors.contains("\(container.id)/development: 2 sessions and 0 devices."), "\(result)")
        #expect(try mary.post("zones/list", .private, [:]).status == 421)
        #expect(try john.post("zones/list", .private, [:]).status == 200)
        try expectSound()
    }

    private static let shelf: JSON = ["zoneName": "Shelf"]

    private func save(_ names: [String], _ title: String, as client: CloudKitClient) throws {
        let operations = names.map { name -> JSON in
            let record: JSON = [
                "recordName": .string(name), "recordType": "Article", "fields": ["title": ["value": .string(title)]],
            ]
            return ["operationType": "forceUpdate", "record": record]
        }
        _ = try client.records("modify", ["operations": .array(operations)], .public)
    }

    /// A token of the feed of Mary's shelf, from before its last changes.
    private var oldToken: JSON {
        get throws {
            let text = String(decoding: try readFile(Self.file), as: UTF8.self)
            return .string(String(try #require(text.firstMatch(of: /-- token: (.*)/)?.1)))
        }
    }

    /// The names in the feed of Mary's shelf.
    private func feed(since token: JSON) throws -> [String] {
        let answer = try mary.post("changes/zone", .private, ["zones": [["zoneID": Self.shelf, "syncToken": token]]])
        return try answer.json["zones"][0]["records"].elements.map { record in
            (record["recordName"].string ?? "no name") + (record["deleted"] == true ? ", deleted" : "")
        }
    }
}

extension TestContainer {
    /// A client of a user whose account already exists.
    fileprivate func known(_ email: String) throws -> CloudKitClient {
        client(.person(apiToken: apiToken, webAuthToken: try session(email)))
    }
}

extension CloudKitClient {
    /// The records in a response, all without an error.
    fileprivate func records(_ action: String, _ body: JSON, _ database: Database = .private) throws -> [JSON] {
        let answer = try post("records/\(action)", database, body)
        let json = try answer.json
        let isGood = answer.status == 200 && json["records"].elements.allSatisfy { $0["serverErrorCode"].isAbsent }
        try #require(isGood, "\(json)")
        return json["records"].elements
    }
}
