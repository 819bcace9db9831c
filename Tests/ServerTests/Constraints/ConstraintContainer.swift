import NephosTesting
import Testing

/// A container whose records of type `Commun` have constraints.
struct ConstraintContainer {
    let container: TestContainer
    let ada: CloudKitClient

    init(_ constraints: String? = nil, environment: String = "development") throws {
        container = try freshContainer(environment: environment)
        try container.importSchema(Self.schema)
        ada = try container.person("ada@example.org")
        if let constraints { try #require(try keep(constraints).status == 0) }
    }

    static let schema = TestContainer.recordType(
        "Commun",
        [
            #""___recordID" REFERENCE QUERYABLE"#, "content STRING", "isCurrent INT64", "identifier STRING QUERYABLE",
            "title STRING", "kind STRING", "stars INT64", "price DOUBLE", "at TIMESTAMP", "until TIMESTAMP",
            "slot STRING", "tags LIST<STRING>", "author REFERENCE", "data BYTES", "secret ENCRYPTED STRING",
        ])

    /// Imports settings with constraints of `Commun`: rules, one per line, as YAML.
    func keep(_ rules: String, type: String = "Commun", environment: String = "development") throws -> CommandResult {
        let lines = rules.split(separator: "\n").map { "    - \($0)\n" }.joined()
        return try importSettings("version: 1\nconstraints:\n  \(type):\n\(lines)", environment: environment)
    }

    func importSettings(_ text: String, environment: String = "development") throws -> CommandResult {
        let folder = try TemporaryFolder(prefix: "nephos-settings")
        try writeFile(folder.path + "/settings.yaml", text.utf8)
        return try command(
            "settings", "import", container.id, folder.path + "/settings.yaml", "--environment", environment, "--yes")
    }

    func command(_ arguments: String...) throws -> CommandResult { try container.cloud.server.command.run(arguments) }

    /// Saves records, whether they exist or not; returns the reason of each rejection, or "".
    func save(
        _ records: [(name: String, fields: JSON)], as client: CloudKitClient? = nil, zone: String? = nil,
        atomic: Bool? = nil, in database: Database = .public
    ) throws -> [String] {
        try (client ?? ada).modify(
            records.map { operation("forceUpdate", $0.name, type: "Commun", fields: $0.fields) }, zone: zone,
            atomic: atomic, in: database
        ).map { answer in
            guard !answer["serverErrorCode"].isAbsent else { return "" }
            #expect(["BAD_REQUEST", "ATOMIC_ERROR"].contains(answer["serverErrorCode"]), "\(answer)")
            return answer["reason"].string ?? "without a reason"
        }
    }

    func save(_ name: String, _ fields: JSON, as client: CloudKitClient? = nil, in database: Database = .public) throws
        -> String
    {
        try save([(name, fields)], as: client, in: database)[0]
    }

    func delete(_ names: String..., zone: String? = nil, in database: Database = .public) throws {
        for answer in try ada.modify(names.map { operation("forceDelete", $0) }, zone: zone, in: database) {
            #expect(answer["deleted"] == true, "\(answer)")
        }
    }

    /// Compares everything that is stored with the claims.
    func check() throws {
        let result = try command("check", container.id)
        #expect(result.status == 0, "\(result)")
    }
}

/// Values of fields: `value("a")`.
func value(_ value: JSON, _ type: String? = nil) -> JSON {
    ["value": value, "type": type.map { .string($0) } ?? .absent]
}
