import NephosTesting

/// A user who has saved records with files in a zone, and holds a change token that was issued before the last changes.
struct CopyUser {
    private static let container = "iCloud.org.example.copied"
    private static let email = "ada@example.org"
    private static let zone: JSON = ["zoneName": "Notes"]
    /// A zone that was deleted and created again, so that its earlier change token has expired.
    private static let recreated: JSON = ["zoneName": "Recreated"]

    private let server: ServerProcess
    private let client: CloudKitClient
    private let files: Int
    /// The change token of the zone that was issued before the last changes.
    private let token: JSON
    /// The change token of ``recreated`` that was issued before the zone was deleted.
    private let expired: JSON

    /// What the user can fetch from a store.
    struct Held: Equatable {
        /// The records of the zone: names with change tags, which are empty for deleted records.
        var whole: [String: String] = [:]
        /// The same for the changes after the change token.
        var sinceToken: [String: String] = [:]
        /// The reason of the error for an expired token.
        var expired = ""
        /// The number of files that are returned unchanged.
        var files: Int = 0
    }

    /// Starts a server for a store, and saves records in it.
    ///
    /// - Parameter files: The number of records with a file, which are the first ones.
    init(_ store: TestStore, records: Int, files: Int) throws {
        server = try ServerProcess(store: store)
        self.files = files
        try server.command("container", "create", Self.container)
        try server.command("account", "create", Self.email)
        client = CloudKitClient(
            port: server.port, container: Self.container,
            credentials: .person(
                apiToken: try server.command("token", "create", Self.container),
                webAuthToken: try server.command("session", "create", Self.container, Self.email)))
        try Self.modify(zone: Self.zone, "create", client)
        try Self.modify(zone: Self.recreated, "create", client)
        expired = try Self.changesPage(of: Self.recreated, after: .absent, client)["syncToken"]
        try Self.modify(zone: Self.recreated, "delete", client)
        try Self.modify(zone: Self.recreated, "create", client)
        try Self.save(Array(0..<records / 2), files: files, client)
        token = try Self.changes(after: .absent, client).token
        try Self.save(Array(records / 2..<records), files: 0, client)
        try Self.delete(Array(stride(from: files + 7, to: records, by: 50)), client)
    }

    private init(_ other: CopyUser, _ server: ServerProcess, _ client: CloudKitClient) {
        (self.server, self.client) = (server, client)
        (files, token, expired) = (other.files, other.token, other.expired)
    }

    /// The same user with the same tokens, at a server of another store.
    func moved(to store: TestStore) throws -> CopyUser {
        let server = try ServerProcess(store: store)
        let client = CloudKitClient(port: server.port, container: Self.container, credentials: self.client.credentials)
        return CopyUser(self, server, client)
    }

    /// Checks the store, and stops the server.
    func leave() throws {
        let check = try server.command.run(["check"])
        guard check.status == 0 else { throw UnusableCopyAnswer(description: "check: \(check.output)\(check.errors)") }
        client.close()
        try server.stop()
    }

    // MARK: Comparing

    func held() throws -> Held {
        var held = Held()
        held.whole = try Self.changes(after: .absent, client).records
        held.sinceToken = try Self.changes(after: token, client).records
        held.expired = try Self.changesPage(of: Self.recreated, after: expired, client)["reason"].string ?? ""
        for number in 0..<files where try file(number) == Self.content(number) { held.files += 1 }
        return held
    }

    /// The differences from an earlier state. Also saves a record, which must be the only change after the newest change
    /// token.
    func differences(from held: Held) throws -> [String] {
        let now = try self.held()
        var faults: [String] = []
        if now.whole != held.whole { faults.append("\(now.whole.count) records, not \(held.whole.count), or others") }
        if now.sinceToken != held.sinceToken {
            faults.append("\(now.sinceToken.count) changes after an old token, not \(held.sinceToken.count), or others")
        }
        if now.expired != held.expired || !now.expired.contains("expired") {
            faults.append("the answer to an expired change token is '\(now.expired)', not '\(held.expired)'")
        }
        if now.files != files { faults.append("\(now.files) of \(files) files were returned") }
        let newest = try Self.changes(after: token, client).token
        let (name, count) = ("new \(server.port)", held.whole.count)
        try Self.modify([Self.saving(name, [:])], client)
        let after = try Self.changes(after: newest, client).records
        if Set(after.keys) != [name] {
            faults.append("after a save next to \(count) records the changes are \(after.keys.sorted())")
        }
        return faults
    }

    private func file(_ number: Int) throws -> [UInt8] {
        let wish: JSON = ["records": [["recordName": .string(Self.name(number))]], "zoneID": Self.zone]
        let record = try client.post("records/lookup", .private, wish).json["records"][0]
        guard let url = record["fields"]["file"]["value"]["downloadURL"].string else { return [] }
        return try client.load("GET", url).body
    }

    // MARK: Requests

    private static func name(_ number: Int) -> String { "note \(number)" }

    private static func content(_ number: Int) -> [UInt8] {
        let more = (0..<number * 37 % 9_000).map { UInt8(truncatingIfNeeded: $0 &* number) }
        return Array("the file of note \(number)".utf8) + more
    }

    private static func modify(zone: JSON, _ operation: String, _ client: CloudKitClient) throws {
        let operation: JSON = ["operationType": .string(operation), "zone": ["zoneID": zone]]
        let answer = try client.post("zones/modify", .private, ["operations": [operation]])
        guard answer.status == 200 else { throw UnusableCopyAnswer(description: "zones/modify: \(try answer.json)") }
    }

    private static func save(_ numbers: [Int], files: Int, _ client: CloudKitClient) throws {
        for start in stride(from: 0, to: numbers.count, by: 200) {
            let some = numbers[start..<min(start + 200, numbers.count)]
            let withFile = some.filter { $0 < files }
            var values: [Int: JSON] = [:]
            for number in withFile {
                let url = try client.uploadURLs(field: "file")[0]
                values[number] = try client.send(file: content(number), to: url)
            }
            try modify(
                some.map { number in
                    var fields: JSON = ["text": ["value": .string("the text of note \(number)")]]
                    if let value = values[number] { fields["file"] = ["value": value] }
                    return saving(name(number), fields)
                }, client)
        }
    }

    private static func delete(_ numbers: [Int], _ client: CloudKitClient) throws {
        for start in stride(from: 0, to: numbers.count, by: 200) {
            try modify(
                numbers[start..<min(start + 200, numbers.count)].map {
                    ["operationType": "forceDelete", "record": ["recordName": .string(name($0))]]
                }, client)
        }
    }

    private static func saving(_ name: String, _ fields: JSON) -> JSON {
        [
            "operationType": "forceReplace",
            "record": ["recordName": .string(name), "recordType": "Note", "fields": fields],
        ]
    }

    private static func modify(_ operations: [JSON], _ client: CloudKitClient) throws {
        let answer = try client.post("records/modify", .private, ["operations": .array(operations), "zoneID": zone])
        let records = try answer.json["records"].elements
        guard answer.status == 200, records.count == operations.count,
            records.allSatisfy({ $0["serverErrorCode"].isAbsent })
        else { throw UnusableCopyAnswer(description: "records/modify: \(try answer.json)") }
    }

    /// Returns all changes after a change token, and the token for the changes after those.
    private static func changes(
        after token: JSON, _ client: CloudKitClient
    ) throws -> (records: [String: String], token: JSON) {
        var (found, token) = ([String: String](), token)
        while true {
            let page = try changesPage(of: zone, after: token, client)
            guard let more = page["moreComing"].bool, page["syncToken"].string != nil else {
                throw UnusableCopyAnswer(description: "changes/zone: \(page)")
            }
            for record in page["records"].elements {
                let tag = record["deleted"].bool == true ? "" : record["recordChangeTag"].string
                found[record["recordName"].string ?? ""] = tag ?? "no tag"
            }
            token = page["syncToken"]
            if !more { return (found, token) }
        }
    }

    /// Returns the response for a zone: a page of the changes after a token, or an error.
    private static func changesPage(of zone: JSON, after token: JSON, _ client: CloudKitClient) throws -> JSON {
        let wish: JSON = token.isAbsent ? ["zoneID": zone] : ["zoneID": zone, "syncToken": token]
        return try client.post("changes/zone", .private, ["zones": [wish]]).json["zones"][0]
    }
}

/// An unexpected response.
struct UnusableCopyAnswer: Error, CustomStringConvertible {
    let description: String
}
