import NephosTesting

/// A response that fails the test.
struct WrongAnswer: Error, CustomStringConvertible { var description: String }

/// The server cannot reach its database: as without a response, a save may be stored (docs/protocol.md, E5).
struct DatabaseUnavailable: Error {}

/// What a writer needs for requests to a server.
struct Access: Sendable {
    var container: String
    var apiToken: String
    /// One for each user.
    var webAuthTokens: [String]
    /// When the command had reported the creation of the container, by ``monotonicNow()``.
    let containerMade: UInt64

    /// Creates a container with users and, for each, the zone that their writers share.
    ///
    /// - Throws: ``CommandFailure``, ``WrongAnswer``.
    init(
        on server: ServerProcess, container id: String = "iCloud.test.crash",
        people: [String] = ["ada@example.org", "bob@example.org"]
    ) throws {
        try server.command("container", "create", id)
        containerMade = monotonicNow()
        container = id
        // `nephos check` recounts the items of both users.
        let settings = try ClaimedRecords.SettingsFile("version: 1\ntrends: {private: [Item]}\n")
        try server.command("settings", "import", id, settings.path)
        apiToken = try server.command("token", "create", id)
        webAuthTokens = []
        for (person, email) in people.enumerated() {
            try server.command("account", "create", email)
            webAuthTokens.append(try server.command("session", "create", id, email))
            try Wire(client(port: server.port, person: person)).modifyZone("create", Wire.sharedZone)
        }
    }

    func client(port: Int, person: Int) -> CloudKitClient {
        let token = webAuthTokens[person % webAuthTokens.count]
        return CloudKitClient(
            port: port, container: container, credentials: .person(apiToken: apiToken, webAuthToken: token))
    }
}

/// The requests of writers and auditors.
struct Wire {
    static let sharedZone = "Together"

    let client: CloudKitClient

    init(_ client: CloudKitClient) { self.client = client }

    func post(_ path: String, _ database: Database = .private, _ body: JSON) throws -> JSON {
        try Wire.body(of: path, client.post(path, database, body))
    }

    /// The body of a response. - Throws: ``DatabaseUnavailable``; ``WrongAnswer`` if the request failed.
    static func body(of path: String, _ response: HTTPResponse) throws -> JSON {
        let json = try response.json
        if response.status == 503, json["serverErrorCode"] == "TRY_AGAIN_LATER" { throw DatabaseUnavailable() }
        guard response.status == 200 else {
            throw WrongAnswer(description: "\(path) answered \(response.status): \(json)")
        }
        return json
    }

    /// Uploads the files of records, then saves and deletes in one request.
    func modify(_ items: [Item], _ database: Database, zone: String?) throws {
        try modify(upload(items, database, zone: zone), database, zone: zone)
    }

    /// - Throws: ``WrongAnswer`` if any item failed.
    func modify(_ operations: [JSON], _ database: Database, zone: String?) throws {
        let answer = try post(
            "records/modify", database,
            ["operations": .array(operations), "zoneID": zone.map { ["zoneName": .string($0)] } ?? .absent])
        try Wire.requireSuccess(answer["records"], count: operations.count)
    }

    func modifyZone(_ operation: String, _ name: String) throws {
        let zone: JSON = ["zoneID": ["zoneName": .string(name)]]
        let answer = try post(
            "zones/modify", .private, ["operations": [["operationType": .string(operation), "zone": zone]]])
        try Wire.requireSuccess(answer["zones"], count: 1)
    }

    private static func requireSuccess(_ items: JSON, count: Int) throws {
        guard items.elements.count == count, items.elements.allSatisfy({ $0["serverErrorCode"].isAbsent }) else {
            throw WrongAnswer(description: "not all of \(count) succeeded: \(items)")
        }
    }

    /// Names of all zones of the private database.
    func zones() throws -> Set<String> {
        Set(try post("zones/list", .private, [:])["zones"].elements.compactMap { $0["zoneID"]["zoneName"].string })
    }

    /// The existing records with these names, each including its file, which is read.
    func lookup(_ names: [String], _ database: Database, zone: String?) throws -> [String: Int64] {
        var values: [String: Int64] = [:]
        for start in stride(from: 0, to: names.count, by: 200) {
            let page = names[start..<min(start + 200, names.count)]
            let answer = try post(
                "records/lookup", database,
                [
                    "records": .array(page.map { ["recordName": .string($0)] }),
                    "zoneID": zone.map { ["zoneName": .string($0)] } ?? .absent,
                ])
            guard answer["records"].elements.count == page.count else {
                throw WrongAnswer(description: "\(page.count) looked up: \(answer)")
            }
            for (name, record) in zip(page, answer["records"].elements) {
                if record["serverErrorCode"].string == "NOT_FOUND" { continue }
                values[name] = try Item.value(of: record)
                try requireFile(of: record)
            }
        }
        return values
    }

    /// Follows a zone's feed to its end, from a token or from the beginning, and returns the state there.
    func follow(zone: String, from start: FeedPosition? = nil, pageSize: Int64 = 200) throws -> FeedPosition {
        var position = start ?? FeedPosition(token: "", values: [:], reached: 0)
        while true {
            let request: JSON = [
                "zoneID": ["zoneName": .string(zone)], "resultsLimit": .int(pageSize),
                "syncToken": position.token.isEmpty ? .absent : .string(position.token),
            ]
            let answer = try post("changes/zone", .private, ["zones": [request]])["zones"][0]
            guard let token = answer["syncToken"].string, let more = answer["moreComing"].bool else {
                throw WrongAnswer(description: "changes of \(zone): \(answer)")
            }
            for record in answer["records"].elements {
                guard let name = record["recordName"].string else { throw WrongAnswer(description: "\(record)") }
                position.values[name] = record["deleted"].bool == true ? nil : try Item.value(of: record)
            }
            position.token = token
            position.reached = monotonicNow()
            if !more { return position }
        }
    }
}
