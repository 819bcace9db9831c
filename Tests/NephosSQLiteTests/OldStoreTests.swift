import CloudKitWire
import Foundation
import NephosStorage
import NephosTesting
import StorageConformance
import Testing

@testable import NephosSQLite

@Suite("A store of the first version") struct OldStoreTests {
    private let cloud: Cloud
    private let engine: SQLiteEngine
    private let store: SQLiteTenantStore

    init() throws {
        cloud = try Cloud()
        cloud.engine.close()
        for end in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: cloud.file + end) {
            try FileManager.default.removeItem(atPath: cloud.file + end)
        }
        try OldStore.write(to: cloud.file)
        engine = try SQLiteEngine(directory: cloud.folder.path)
        store = try cloud.store(engine)
    }

    @Test("opens with all its rows, and its check finds nothing")
    func opens() throws {
        defer { engine.close() }
        #expect(try store.check { _, _ in } == [])
        #expect(try store.record("a")?.fields.text == #"{"text":{"type":"STRING","value":"milk a"}}"#)
        #expect(try store.record("b")?.parent == "a")
        let reading = try store.read(Notes.reading([]))
        let head = try #require(reading.databases[0])
        #expect((head.sequence, head.records, head.indexVersion, head.trash) == (5, 2, 0, 0))
        #expect(reading.catalog.type(1)?.fields["text"]?.epoch == 0)
    }

    @Test("rejects a record written by a program that does not know the column with its key (docs/decisions/0011)")
    func oldProgram() throws {
        defer { engine.close() }
        let columns =
            "db, record_no, zone_no, name, seq, tag_seq, type, created_at, created_by, modified_at, modified_by"
        let others = "flags, fields_epoch, ref_count, size, checksum, fields"
        let connection = try Connection(path: cloud.file, access: .write, settings: [])
        #expect(throws: StorageError.self) {
            try connection.execute(
                "INSERT INTO records (\(columns), \(others)) VALUES (1, 9, 1, 'x', 9, 9, 1, 5, x'00', 5, x'00', 0, 0, 0, 1, 0, '{}')"
            )
        }
        #expect(try store.check { _, _ in } == [])
    }

    @Test("accepts records, indexes and trash like any other")
    func goesOn() async throws {
        defer { engine.close() }
        let shape = IndexShape(type: 1, parts: [.order(.field("text", .string, epoch: 0), isDescending: false)])
        try await store.openIndexes([shape], in: 1, at: 10)
        while try await store.buildIndexes(in: nil, rows: 1) {}
        try await store.save(["c"], fields: #"{"text":{"type":"STRING","value":"c"}}"#)
        try await store.delete("a", trash: .init(deletedBy: nil))
        #expect(try store.check { _, _ in } == [])
        #expect(try store.indexes().map(\.state) == [.ready])
        #expect(try store.read(Notes.reading([])).databases[0]?.trash == 1)
    }

    @Test("has zones without a client token, and stores a new one")
    func clientToken() async throws {
        defer { engine.close() }
        #expect(try store.read(Notes.reading([])).zones[0]?.clientToken == nil)
        try await store.commit(Notes.reading(["c"])) { reading in
            var writes = try Notes.save(["c"], from: reading)
            writes.zones[0].new.clientToken = [1, 2]
            return .write(writes, ())
        }
        #expect(try store.read(Notes.reading([])).zones[0]?.clientToken == [1, 2])
        #expect(try store.check { _, _ in } == [])
    }

    @Test("has devices, sessions and keys from before revocation existed, and revokes them")
    func credentials() async throws {
        engine.close()
        for end in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: cloud.file + end) {
            try FileManager.default.removeItem(atPath: cloud.file + end)
        }
        try OldStore.writeWithDevices(to: cloud.file, in: DataDirectory(cloud.folder.path))
        let engine = try SQLiteEngine(directory: cloud.folder.path)
        defer { engine.close() }
        let store = try cloud.store(engine)
        let findings = try store.check { _, _ in }
        #expect(findings == [])
        let user = UserID(high: 1, low: 2)
        let devices = [OldStore.page, OldStore.phone].map { DeviceKey(database: 2, user: user, id: $0) }
        var set = ReadSet()
        set.databases = [2]
        let keyed = DeviceRow.keyed(devices)
        set.ask(keyed)
        set.sessionsOfDevices = devices
        let (own, uses) = (
            SessionRow.of(user, limit: 9), CredentialUseRow.keyed([CredentialKey(.session, OldStore.session)])
        )
        set.ask(own)
        set.ask(uses)
        let reading = try store.read(set)
        #expect(reading[keyed].map(\.sessionID) == [OldStore.session, []])
        #expect(
            reading.sessionsOfDevices.map(\.id) == [OldStore.session] && reading[own].map(\.id) == [OldStore.session])
        #expect(reading[uses] == [])
        #expect(reading.catalog.keys[OldStore.key]?.name == "")
        try await store.commit(set) { reading in
            var writes = WriteSet()
            for var device in reading[keyed] {
                let old = device
                (device.session, device.secret) = (OldStore.session, Secret([]))
                writes.put(device, replacing: old)
            }
            var (session, key) = (reading[own][0], reading.catalog.keys[OldStore.key])
            session.revokedAt = 7
            key?.name = "import"
            writes.put(session, replacing: reading[own][0])
            writes.raisesCatalogVersion = true
            writes.catalog = [
                CatalogWrite(old: reading.catalog.keys[OldStore.key].map { .key($0) }, new: key.map { .key($0) })
            ]
            return .write(writes, ())
        }
        #expect(try store.check { _, _ in } == [])
    }

    @Test("never reuses the number of a removed type, although it did not record the last one")
    func types() async throws {
        defer { engine.close() }
        #expect(try store.read(ReadSet()).catalog.nextTypeNumber == 5)
        try await store.commit(ReadSet()) { _ in
            var writes = WriteSet()
            writes.catalog = [CatalogWrite(old: .type(RecordTypeRow(number: 4, name: "Old")), new: nil)]
            return .write(writes, ())
        }
        #expect(try store.read(ReadSet()).catalog.nextTypeNumber == 5)
        #expect(try store.check { _, _ in } == [])
    }
}
