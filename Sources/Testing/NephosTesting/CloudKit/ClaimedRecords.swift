/// Records that want the same of each other, for tests of constraints: `unique` and `atMost` for type `Claimed`.
package struct ClaimedRecords {
    package static let current = 3
    package static let identifiers = 12

    /// A file of settings that says so, and one that says nothing. What there is of each is counted besides, so that a check finds figures
    /// that are not those of the records.
    package static let settings = """
        version: 1
        trends:
          private: [Item, Claimed]
          splits: [{type: Claimed, field: identifier}, {type: Claimed, field: isCurrent}]
        constraints:
          Claimed:
            - {field: identifier, rule: unique}
            - {rule: atMost, count: \(current), where: {isCurrent: 1}}
        """
    package static let noSettings = "version: 1\n"

    /// Says so in a container's schema and settings. - Throws: ``CommandFailure``.
    package static func declare(in container: String, by command: NephosCommand) throws {
        try declareType(in: container, by: command)
        let file = try SettingsFile(settings)
        try command("settings", "import", container, file.path)
    }

    /// Makes their type, without constraints.
    package static func declareType(in container: String, by command: NephosCommand) throws {
        let folder = try TemporaryFolder(prefix: "nephos-claims")
        let schema = TestContainer.recordType(
            "Claimed", [#""___recordID" REFERENCE QUERYABLE"#, "identifier STRING", "isCurrent INT64"])
        try writeFile(folder.path + "/schema", Array("DEFINE SCHEMA\n\(schema)\n".utf8))
        try command("schema", "import", container, folder.path + "/schema")
    }

    /// A file for `nephos settings import`, as long as this is there.
    package struct SettingsFile: Sendable {
        private let folder: TemporaryFolder
        package var path: String { folder.path + "/settings" }

        package init(_ text: String) throws {
            folder = try TemporaryFolder(prefix: "nephos-settings")
            try writeFile(folder.path + "/settings", text.utf8)
        }
    }

    private let client: CloudKitClient
    private let writer: Int
    private var dice: SeededGenerator

    package init(_ client: CloudKitClient, writer: Int) {
        (self.client, self.writer) = (client, writer)
        dice = SeededGenerator(seed: UInt64(writer))
    }

    /// Saves, changes or deletes some of the writer's records in one request.
    ///
    /// - Returns: Whether the server did it, as far as the others let it.
    @discardableResult package mutating func step() throws -> Bool {
        let names = (0..<4).map { "\(writer)-\($0)" }.shuffled(using: &dice).prefix(Int.random(in: 1...3, using: &dice))
        let operations: [JSON] = names.map { name in
            guard !dice.once(in: 4) else {
                return ["operationType": "forceDelete", "record": ["recordName": .string(name)]]
            }
            let identifier = Int.random(in: 0..<Self.identifiers, using: &dice)
            return Self.operation(name, "\(identifier)", isCurrent: dice.once(in: 2))
        }
        let answer = try client.post("records/modify", .public, ["operations": .array(operations)])
        guard answer.status == 200 else { return false }
        for record in try answer.json["records"].elements {
            let code = record["serverErrorCode"].string
            guard code == nil || code == "BAD_REQUEST" || code == "TRY_AGAIN_LATER" else {
                throw WrongClaim(description: "\(record)")
            }
        }
        return true
    }

    package static func operation(_ name: String, _ identifier: String, isCurrent: Bool = false) -> JSON {
        let fields: JSON = [
            "identifier": ["value": .string(identifier)], "isCurrent": ["value": .int(isCurrent ? 1 : 0)],
        ]
        return [
            "operationType": "forceUpdate",
            "record": ["recordName": .string(name), "recordType": "Claimed", "fields": fields],
        ]
    }

    /// Saves one record, or deletes it without an identifier.
    ///
    /// - Parameter zone: Of the private database; nil for the public one.
    /// - Returns: Whether nobody has what it claims. - Throws: ``WrongClaim`` for any other answer.
    package static func save(
        _ name: String, _ identifier: String?, isCurrent: Bool = false, zone: String? = nil, _ client: CloudKitClient
    ) throws -> Bool {
        let change: JSON =
            identifier.map { operation(name, $0, isCurrent: isCurrent) }
            ?? ["operationType": "forceDelete", "record": ["recordName": .string(name)]]
        let answer = try client.post(
            "records/modify", zone == nil ? .public : .private,
            ["operations": [change], "zoneID": zone.map { ["zoneName": .string($0)] } ?? .absent]
        ).json
        // In a zone a request is carried out as a whole.
        let record = answer["records"][0]
        let refusal = record["serverErrorCode"].string ?? answer["serverErrorCode"].string
        if refusal == "BAD_REQUEST", (record["reason"].string ?? "").contains("Claimed") { return false }
        guard refusal == nil, record["recordName"].string == name else { throw WrongClaim(description: "\(answer)") }
        return true
    }

    /// What is wrong with who may have what: that a rival of a record's is refused, and what it frees can be had; "" where nothing is. It
    /// leaves the record under another name.
    package static func faults(
        ofRivalsOf name: String, _ identifier: String, zone: String? = nil, _ client: CloudKitClient
    ) throws -> String {
        guard try !save("rival", identifier, zone: zone, client) else { return "a rival of \(name) is not refused" }
        guard try save(name, nil, zone: zone, client) else { return "\(name) cannot be deleted" }
        guard try save("rival", identifier, zone: zone, client) else { return "what \(name) freed cannot be had" }
        guard try !save(name, identifier, zone: zone, client) else { return "a rival of its heir is not refused" }
        return ""
    }

    /// What is wrong among the records that there are; "" where nothing is.
    package static func faults(_ client: CloudKitClient) throws -> String {
        let query: JSON = ["query": ["recordType": "Claimed"], "resultsLimit": 200]
        let records = try client.post("records/query", .public, query).json["records"].elements
        let identifiers = records.compactMap { $0["fields"]["identifier"]["value"].string }
        let current = records.count { $0["fields"]["isCurrent"]["value"] == 1 }
        guard !identifiers.isEmpty, Set(identifiers).count == identifiers.count, current <= Self.current else {
            return "\(current) are current; identifiers \(identifiers.sorted())"
        }
        return ""
    }
}

/// An answer that nobody who saves such records gets.
package struct WrongClaim: Error, CustomStringConvertible { package var description: String }
