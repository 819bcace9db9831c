/// Records with conflicting claims, for tests of constraints: `unique` and `atMost` for type `Claimed`.
package struct ClaimedRecords {
    package static let current = 3
    package static let identifiers = 12

    /// Settings with these constraints, and settings without. Both also count the records, so that a check can detect counts that
    /// differ from the records.
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

    /// Adds the type and the constraints to a container's schema and settings. - Throws: ``CommandFailure``.
    package static func declare(in container: String, by command: NephosCommand) throws {
        try declareType(in: container, by: command)
        let file = try SettingsFile(settings)
        try command("settings", "import", container, file.path)
    }

    /// Creates their type, without constraints.
    package static func declareType(in container: String, by command: NephosCommand) throws {
        let folder = try TemporaryFolder(prefix: "nephos-claims")
        let schema = TestContainer.recordType(
            "Claimed", [#""___recordID" REFERENCE QUERYABLE"#, "identifier STRING", "isCurrent INT64"])
        try writeFile(folder.path + "/schema", Array("DEFINE SCHEMA\n\(schema)\n".utf8))
        try command("schema", "import", container, folder.path + "/schema")
    }

    /// A file for `nephos settings import`, which exists as long as this value.
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
    /// - Returns: Whether the server executed it, as far as the other writers' claims allow.
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

    /// Saves one record, or deletes it if there is no identifier.
    ///
    /// - Parameter zone: A zone of the private database; nil for the public one.
    /// - Returns: False if its claim is already taken. - Throws: ``WrongClaim`` for any other answer.
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
        // In a zone a request is atomic.
        let record = answer["records"][0]
        let refusal = record["serverErrorCode"].string ?? answer["serverErrorCode"].string
        if refusal == "BAD_REQUEST", (record["reason"].string ?? "").contains("Claimed") { return false }
        guard refusal == nil, record["recordName"].string == name else { throw WrongClaim(description: "\(answer)") }
        return true
    }

    /// Checks claims: a rival of a record must be rejected, and a freed claim must be available. Returns the fault, or "" if there
    /// is none. Leaves the record under another name.
    package static func faults(
        ofRivalsOf name: String, _ identifier: String, zone: String? = nil, _ client: CloudKitClient
    ) throws -> String {
        guard try !save("rival", identifier, zone: zone, client) else {
            return "a record with the value of \(name) was saved"
        }
        guard try save(name, nil, zone: zone, client) else { return "\(name) cannot be deleted" }
        guard try save("rival", identifier, zone: zone, client) else {
            return "the value that \(name) released cannot be saved"
        }
        guard try !save(name, identifier, zone: zone, client) else {
            return "a record with the released value was saved twice"
        }
        return ""
    }

    /// Faults among the existing records; "" if there are none.
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

/// An unexpected answer to saving such records.
package struct WrongClaim: Error, CustomStringConvertible { package var description: String }
