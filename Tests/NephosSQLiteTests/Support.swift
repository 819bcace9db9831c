import CloudKitWire
import Foundation
import NephosStorage

@testable import NephosSQLite

/// A folder of one test, gone when the test is over.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("nephos-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// A container in a folder of its own, with the type `Note` and a zone to write in.
final class Cloud: Sendable {
    static let container = "iCloud.org.example.notes"
    static let tenant = Tenant(container: container, environment: .development)
    static let note: TypeNumber = 1

    let folder: TemporaryFolder
    let engine: SQLiteEngine

    init(options: SQLiteOptions = SQLiteOptions()) throws {
        folder = try TemporaryFolder()
        engine = try SQLiteEngine(directory: folder.path, options: options)
        try Self.create(in: engine)
    }

    deinit { engine.close() }

    static func create(_ container: String = container, in engine: SQLiteEngine) throws {
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

    func store(_ engine: SQLiteEngine? = nil) throws -> SQLiteTenantStore {
        let store = try (engine ?? self.engine).open(Self.tenant)
        guard let store = store as? SQLiteTenantStore else { throw StorageError.noSuchTenant }
        return store
    }

    /// The tenant's file.
    var file: String { DataDirectory(folder.path).tenant(Self.tenant) }

    /// Takes the container off the list, as if its creation had died before.
    func forgetContainer() throws {
        let path = DataDirectory(folder.path).directoryFile
        try Connection(path: path, access: .write, settings: []).execute(
            "DELETE FROM containers; UPDATE meta SET digest = 0")
    }

    /// Changes the tenant's file behind the engine's back.
    func meddle(_ sql: String) throws {
        try Connection(path: file, access: .write, settings: []).execute(sql)
    }
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

extension SQLiteTenantStore {
    func save(_ names: [Name], fields: String = "{}", references: [ReferenceTarget] = []) async throws {
        try await commit(Notes.reading(names)) { reading in
            let writes = try Notes.save(names, fields: fields, references: references, from: reading)
            return .write(writes, ())
        }
    }

    func delete(_ name: Name, trash: RecordDeletion.Trash? = nil) async throws {
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
                        deletedAt: 1), trash: trash)
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

    /// How many entries all indexes have.
    func entries() throws -> Int64? {
        try Connection(path: path, access: .read, settings: []).number("SELECT count(*) FROM index_rows")
    }

    func record(_ name: Name) throws -> RecordRow? {
        guard case .record(let row) = try read(Notes.reading([name])).records[0] else { return nil }
        return row
    }
}

/// Destroys 16 bytes of a file.
func overwrite(_ path: String, at offset: Int64) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.seek(toOffset: UInt64(offset))
    try file.write(contentsOf: Data(repeating: 0xAA, count: 16))
    try file.close()
}
