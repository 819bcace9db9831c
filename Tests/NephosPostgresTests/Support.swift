import CloudKitWire
import Foundation
import NephosStorage
import NephosTesting
import Synchronization

@testable import NephosPostgres

/// A container in a schema of its own, gone when the test is over, with the type `Note` and a zone to write in.
///
/// The PostgreSQL database is the one that `NEPHOS_TEST_POSTGRES` names.
final class Cloud: Sendable {
    static let container = "iCloud.org.example.notes"
    static let tenant = Tenant(container: container, environment: .development)
    static let note: TypeNumber = 1

    let target: ConnectionTarget
    let engine: PostgresEngine
    private let ownConnection: Mutex<Connection>

    init() throws {
        let url = ProcessInfo.processInfo.environment["NEPHOS_TEST_POSTGRES"] ?? ""
        guard !url.isEmpty else { throw NoTestPostgres() }
        let schema = "test_\(UUID().uuidString.lowercased().filter { $0 != "-" })"
        target = try ConnectionTarget(url: url, schema: schema)
        engine = try PostgresEngine(target, options: Self.options)
        ownConnection = Mutex(try Connection(target))
        try Self.create(in: engine)
    }

    deinit {
        engine.close()
        _ = try? meddle(#"DROP SCHEMA "\#(target.schema)" CASCADE"#)
    }

    /// Few connections: many tests run at once.
    private static var options: PostgresOptions {
        var options = PostgresOptions()
        options.connections = 4
        return options
    }

    static func create(_ container: String = container, in engine: PostgresEngine) throws {
        let seeds = Environment.allCases.map { environment in
            TenantSeed(
                head: CatalogHead(
                    tenant: Tenant(container: container, environment: environment),
                    signingKey: [UInt8](repeating: 7, count: 32), createdAt: 1),
                rows: [
                    .role(.world), .role(.icloud), .role(.creator),
                    .type(RecordTypeRow(number: note, name: "Note")),
                    .field(FieldRow(type: note, name: "text", kind: .string)),
                    .grant(GrantRow(type: note, role: 1, rights: .read)),
                ])
        }
        try engine.createContainer(ContainerRow(id: container, createdAt: 1), seeds: seeds)
    }

    /// Another engine on the same schema, as another process would have one.
    func anotherEngine() throws -> PostgresEngine { try PostgresEngine(target, options: Self.options) }

    func store(_ engine: PostgresEngine? = nil, container: String = container) throws -> PostgresTenantStore {
        let store = try (engine ?? self.engine).open(Tenant(container: container, environment: .development))
        guard let store = store as? PostgresTenantStore else { throw StorageError.noSuchTenant }
        return store
    }

    /// Runs statements behind the engine's back, all or none. - Returns: What the last one answers.
    @discardableResult
    func meddle(_ statements: String...) throws -> Rows { try meddle(statements) }

    @discardableResult
    func meddle(_ statements: [String]) throws -> Rows {
        try ownConnection.withLock { connection throws(StorageError) in
            guard let rows = try connection.run(statements.map { Call(Statement($0)) }).last else {
                throw .failed("a statement has no answer")
            }
            return UncheckedRows(rows: rows)
        }.rows
    }

    /// An answer that leaves its connection's lock: from then on one thread has it.
    private struct UncheckedRows: @unchecked Sendable { let rows: Rows }

    /// What a statement answers in its only column, a `bigint`.
    func number(_ sql: String) throws -> Int64? { try meddle(sql).first?.optionalInt(0) }
}

/// Writes of lane 1's default zone.
enum Notes {
    static let zone = ZoneKey.name(1, defaultZoneName)
    static let user = UserID(high: 1, low: 2)

    static func reading(_ names: [Name]) -> ReadSet {
        var set = ReadSet()
        set.databases = [1]
        set.zones = [zone]
        set.records = names.map { RecordKey(zone: zone, name: $0) }
        return set
    }

    /// Fields with a text alone.
    static func text(_ text: String) -> String { #"{"text":{"type":"STRING","value":"\#(text)"}}"# }

    /// Saves every name that was read, with these fields.
    static func save(
        _ names: [Name], fields: String = "{}", references: [ReferenceTarget] = [], from reading: Reading
    ) throws -> WriteSet {
        guard var head = reading.databases[0], let old = reading.zones[0] else { throw StorageError.noSuchTenant }
        var writes = WriteSet()
        for (name, found) in zip(names, reading.records) {
            var stored: RecordRow?
            if case .record(let row) = found { stored = row }
            head.sequence += 1
            head.recordNumber += stored == nil ? 1 : 0
            let row = RecordRow(
                database: 1, number: stored?.number ?? head.recordNumber, zone: old.number, name: name,
                sequence: head.sequence, tagSequence: head.sequence, type: Cloud.note, createdAt: 1, createdBy: user,
                modifiedAt: 1, modifiedBy: user, referenceCount: Int64(references.count), fields: Bytes(fields))
            writes.records.append(
                RecordWrite(old: stored.map(RecordStub.init), new: row, references: references))
        }
        var zone = old
        zone.changedSequence = head.sequence
        writes.zones = [ZoneWrite(old: old, new: zone)]
        writes.heads = [head]
        return writes
    }
}

extension PostgresTenantStore {
    func save(_ names: [Name], fields: String = "{}", references: [ReferenceTarget] = []) async throws {
        try await commit(Notes.reading(names)) { reading in
            let writes = try Notes.save(names, fields: fields, references: references, from: reading)
            return .write(writes, ())
        }
    }

    func delete(_ name: Name, at time: Milliseconds = 1, trash: RecordDeletion.Trash? = nil) async throws {
        try await commit(Notes.reading([name])) { reading in
            guard var head = reading.databases[0], let zone = reading.zones[0],
                case .record(let old) = reading.records[0]
            else { throw StorageError.noSuchTenant }
            head.sequence += 1
            var changed = zone
            changed.changedSequence = head.sequence
            var writes = WriteSet()
            writes.heads = [head]
            writes.zones = [ZoneWrite(old: zone, new: changed)]
            writes.deletions = [
                RecordDeletion(
                    old: RecordStub(old),
                    tombstone: TombstoneRow(
                        database: 1, zone: zone.number, name: name, sequence: head.sequence, type: old.type,
                        deletedAt: time), trash: trash)
            ]
            return .write(writes, ())
        }
    }

    /// The indexes of lane 1.
    func indexes() throws -> [IndexRow] {
        var set = ReadSet()
        set.indexLists = [1]
        return try read(set).indexLists[0]
    }

    func record(_ name: Name) throws -> RecordRow? {
        guard case .record(let row) = try read(Notes.reading([name])).records[0] else { return nil }
        return row
    }

    /// The head of lane 1.
    func head() throws -> HeadRow {
        var set = ReadSet()
        set.databases = [1]
        guard let head = try read(set).databases[0] else { throw StorageError.noSuchTenant }
        return head
    }

    func findings() throws -> [CheckFinding] { try check { _, _ in } }
}
