/// Records that want the same of each other, for tests of constraints: `unique` and `atMost` for type `Claimed`.
package struct ClaimedRecords {
    package static let current = 3
    package static let identifiers = 12

    /// Says so in a container's schema and settings. - Throws: ``CommandFailure``.
    package static func declare(in container: String, by command: NephosCommand) throws {
        let folder = try TemporaryFolder(prefix: "nephos-claims")
        let schema = TestContainer.recordType(
            "Claimed", [#""___recordID" REFERENCE QUERYABLE"#, "identifier STRING", "isCurrent INT64"])
        try writeFile(folder.path + "/schema", Array("DEFINE SCHEMA\n\(schema)\n".utf8))
        try command("schema", "import", container, folder.path + "/schema")
        let settings = """
            version: 1
            constraints:
              Claimed:
                - {field: identifier, rule: unique}
                - {rule: atMost, count: \(current), where: {isCurrent: 1}}
            """
        try writeFile(folder.path + "/settings", settings.utf8)
        try command("settings", "import", container, folder.path + "/settings")
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
            let fields: JSON = [
                "identifier": ["value": .string("\(identifier)")],
                "isCurrent": ["value": .int(dice.once(in: 2) ? 1 : 0)],
            ]
            return [
                "operationType": "forceUpdate",
                "record": ["recordName": .string(name), "recordType": "Claimed", "fields": fields],
            ]
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
