import NephosTesting
import Synchronization
import Testing

/// A container with a user in it, and a custom zone `Notes` in their private database.
struct Notes {
    let container: TestContainer
    let ada: CloudKitClient

    /// Created at the first call, and shared by all calls with this name: for rows of a table that do not interfere with each
    /// other.
    static func shared(_ suite: String) throws -> Notes { try ServerTrait.shared.notes(suite) }

    fileprivate init(container: TestContainer, credentials: Credentials) {
        self.container = container
        ada = container.client(credentials)
    }

    init(environment: String = "development") throws {
        container = try freshContainer(environment: environment)
        ada = try container.person("ada@example.org")
        try ada.createZones("Notes")
    }

    /// Another user.
    func grace() throws -> CloudKitClient { try container.person("grace@example.org", name: "Grace Hopper") }
}

/// The values that ``Notes/shared(_:)`` has created.
final class SharedNotes: Sendable {
    private let made = Mutex<[String: (TestContainer, Credentials)]>([:])

    func notes(_ suite: String) throws -> Notes {
        let (container, credentials) = try made.withLock { made in
            if let known = made[suite] { return known }
            let notes = try Notes()
            made[suite] = (notes.container, notes.ada.credentials)
            return (notes.container, notes.ada.credentials)
        }
        return Notes(container: container, credentials: credentials)
    }
}

/// One operation of records/modify. Omitted keys are not sent.
func operation(
    _ type: String, _ name: String? = nil, type recordType: String? = "Note", tag: String? = nil,
    fields: JSON = .absent, parent: JSON = .absent, zone: String? = nil
) -> JSON {
    [
        "operationType": .string(type),
        "record": [
            "recordName": text(name), "recordType": text(recordType), "recordChangeTag": text(tag), "fields": fields,
            "parent": parent, "zoneID": zone.map { ["zoneName": .string($0)] } ?? .absent,
        ],
    ]
}

/// A reference value, with its wrapper.
func reference(_ name: String, _ action: String? = nil, zone: String? = nil) -> JSON {
    [
        "value": [
            "recordName": .string(name), "action": text(action),
            "zoneID": zone.map { ["zoneName": .string($0)] } ?? .absent,
        ],
        "type": "REFERENCE",
    ]
}

private func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .absent }

extension CloudKitClient {
    /// Sends records/modify; expects 200, and returns one result for each operation.
    ///
    /// - Parameter zone: Nil names none, which means the default zone.
    @discardableResult
    func modify(
        _ operations: [JSON], zone: String? = "Notes", atomic: Bool? = nil, in database: Database = .private,
        with more: JSON = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [JSON] {
        var body: JSON = [
            "operations": .array(operations), "zoneID": zone.map { ["zoneName": .string($0)] } ?? .absent,
            "atomic": atomic.map { .bool($0) } ?? .absent,
        ]
        for member in more.members { body[member.name] = member.value }
        return try items("records/modify", "records", body, operations.count, database, sourceLocation)
    }

    /// One operation, one result.
    @discardableResult
    func modify(
        _ operation: JSON, zone: String? = "Notes", atomic: Bool? = nil, in database: Database = .private,
        with more: JSON = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> JSON {
        try modify(
            [operation], zone: zone, atomic: atomic, in: database, with: more, sourceLocation: sourceLocation)[0]
    }

    /// Creates a record, and returns its change tag.
    @discardableResult
    func create(
        _ name: String, fields: JSON = .absent, zone: String? = "Notes", in database: Database = .private,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let record = try modify(
            operation("create", name, fields: fields), zone: zone, in: database, sourceLocation: sourceLocation)
        return try #require(record["recordChangeTag"].string, "\(record)", sourceLocation: sourceLocation)
    }

    /// Sends records/lookup; expects 200, and returns one result for each name.
    func lookUp(
        _ names: [String], zone: String? = "Notes", in database: Database = .private, with more: JSON = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [JSON] {
        var body: JSON = [
            "records": .array(names.map { ["recordName": .string($0)] }),
            "zoneID": zone.map { ["zoneName": .string($0)] } ?? .absent,
        ]
        for member in more.members { body[member.name] = member.value }
        return try items("records/lookup", "records", body, names.count, database, sourceLocation)
    }

    func lookUp(
        _ name: String, zone: String? = "Notes", in database: Database = .private, with more: JSON = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> JSON {
        try lookUp([name], zone: zone, in: database, with: more, sourceLocation: sourceLocation)[0]
    }

    /// Sends zones/modify for these names; returns one result for each.
    @discardableResult
    func modifyZones(
        _ type: String, _ names: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [JSON] {
        let operations = names.map { name -> JSON in
            ["operationType": .string(type), "zone": ["zoneID": ["zoneName": .string(name)]]]
        }
        return try items(
            "zones/modify", "zones", ["operations": .array(operations)], names.count, .private, sourceLocation)
    }

    func createZones(_ names: String..., sourceLocation: SourceLocation = #_sourceLocation) throws {
        for zone in try modifyZones("create", names, sourceLocation: sourceLocation) {
            try #require(zone["serverErrorCode"].isAbsent, "\(zone)", sourceLocation: sourceLocation)
        }
    }

    func deleteZones(_ names: String..., sourceLocation: SourceLocation = #_sourceLocation) throws {
        for zone in try modifyZones("delete", names, sourceLocation: sourceLocation) {
            try #require(zone["deleted"] == true, "\(zone)", sourceLocation: sourceLocation)
        }
    }

    /// Sends a POST, and returns the body; expects 200.
    func answer(
        _ path: String, _ body: JSON = [:], in database: Database? = .private,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> JSON {
        try expectSuccess(try post(path, database, body), sourceLocation: sourceLocation)
    }

    private func items(
        _ path: String, _ key: String, _ body: JSON, _ count: Int, _ database: Database,
        _ sourceLocation: SourceLocation
    ) throws -> [JSON] {
        let answer = try answer(path, body, in: database, sourceLocation: sourceLocation)
        try #require(answer[key].isArray, "\(answer)", sourceLocation: sourceLocation)
        try #require(answer[key].elements.count == count, "\(answer)", sourceLocation: sourceLocation)
        return answer[key].elements
    }
}
