import CloudKitWire
import NephosStorage
import StorageConformance
import Testing

@testable import NephosSQLite

@Suite("Maintenance in chunks") struct UpkeepTests {
    private let zone = ZoneKey.name(1, "Trips")

    /// A zone with 20 records that have 2 references each, and 5 tombstones.
    private func fill(_ store: SQLiteTenantStore) async throws {
        var set = ReadSet()
        set.databases = [1]
        try await store.commit(set) { reading in
            guard var head = reading.databases[0] else { throw StorageError.noSuchTenant }
            head.sequence += 1
            head.zoneNumber += 1
            var zone = ZoneRow(
                database: 1, number: head.zoneNumber, name: "Trips", createdSequence: head.sequence,
                changedSequence: head.sequence, createdAt: 1)
            var writes = WriteSet()
            for number in 1...25 {
                head.sequence += 1
                head.recordNumber += 1
                let name = Name("trip \(number)")
                let record = RecordRow(
                    database: 1, number: head.recordNumber, zone: zone.number, name: name, sequence: head.sequence,
                    tagSequence: head.sequence, type: 1, createdAt: 1, createdBy: Notes.user, modifiedAt: 1,
                    modifiedBy: Notes.user, referenceCount: 2, fields: Bytes("{}"))
                let targets: [ReferenceTarget] = [.init(target: "x", kind: .none), .init(target: name, kind: .none)]
                writes.records.append(RecordWrite(old: nil, new: record, references: targets))
            }
            zone.changedSequence = head.sequence
            writes.zones = [ZoneWrite(old: nil, new: zone)]
            writes.heads = [head]
            return .write(writes, ())
        }
        try await removeFive(store)
    }

    private func removeFive(_ store: SQLiteTenantStore) async throws {
        var set = ReadSet()
        set.databases = [1]
        set.zones = [zone]
        set.stubs = (1...5).map { RecordKey(zone: zone, name: Name("trip \($0)")) }
        try await store.commit(set) { reading in
            guard var head = reading.databases[0], let old = reading.zones[0] else { throw StorageError.noSuchTenant }
            var writes = WriteSet()
            for stub in reading.stubs.compactMap({ $0 }) {
                head.sequence += 1
                writes.deletions.append(
                    RecordDeletion(
                        old: stub,
                        tombstone: TombstoneRow(
                            database: 1, zone: stub.zone, name: stub.name, sequence: head.sequence, type: 1,
                            deletedAt: Milliseconds(100 + head.sequence))))
            }
            var zone = old
            zone.changedSequence = head.sequence
            writes.zones = [ZoneWrite(old: old, new: zone)]
            writes.heads = [head]
            return .write(writes, ())
        }
    }

    private func kill(_ store: SQLiteTenantStore) async throws {
        var set = ReadSet()
        set.databases = [1]
        set.zones = [zone]
        try await store.commit(set) { reading in
            guard var head = reading.databases[0], let old = reading.zones[0] else { throw StorageError.noSuchTenant }
            head.sequence += 1
            var dead = old
            dead.state = .dead
            dead.changedSequence = head.sequence
            dead.deletedAt = 500
            var writes = WriteSet()
            writes.zones = [ZoneWrite(old: old, new: dead)]
            writes.heads = [head]
            return .write(writes, ())
        }
    }

    private func head(_ store: SQLiteTenantStore) throws -> HeadRow {
        var set = ReadSet()
        set.databases = [1]
        return try #require(try store.read(set).databases[0])
    }

    @Test(
        "a deleted zone is removed in chunks of limited size, and every intermediate state is consistent",
        arguments: [1, 7, 1_000])
    func sweep(rows: Int) async throws {
        let cloud = try Cloud()
        let store = try cloud.store()
        try await fill(store)
        try await kill(store)
        let full = try head(store)
        #expect((full.records, full.tombstones, full.references) == (20, 5, 40))
        var left: Int64 = 65
        var isUnfinished = true
        while isUnfinished {
            isUnfinished = try await store.sweepDeadZones(rows: rows, at: 1)
            let now = try head(store)
            let remaining = now.records + now.tombstones + now.references
            #expect(left - remaining <= rows)
            #expect(remaining < left || !isUnfinished)
            left = remaining
            #expect(try store.check { _, _ in } == [])
        }
        #expect(left == 0)
        #expect(try head(store).recordBytes == 0)
        var set = ReadSet()
        set.zones = [.number(1, 2)]
        #expect(try store.read(set).zones[0]?.state == .swept)
        #expect(try await store.sweepDeadZones(rows: rows, at: 1) == false)
    }

    @Test("tombstones are purged oldest first, in chunks, and raise the limit for valid tokens")
    func purge() async throws {
        let cloud = try Cloud()
        let store = try cloud.store()
        try await fill(store)
        var feed = ReadSet()
        feed.zones = [zone]
        feed.feeds = [FeedScan(zone: zone, bound: 0, limit: 100)]
        let all = try store.read(feed).feeds[0].changes.suffix(5).map(\.sequence)
        let time = 100 + all[3]  // The time of the fourth tombstone, which stays.

        #expect(try await store.purgeTombstones(deletedBefore: time, rows: 2) == true)
        #expect(try store.read(feed).zones[0]?.purgedSequence == all[1])
        #expect(try await store.purgeTombstones(deletedBefore: time, rows: 2) == false)
        let after = try store.read(feed)
        #expect(after.zones[0]?.purgedSequence == all[2])
        #expect(after.feeds[0].changes.suffix(3).map(\.sequence).suffix(2) == [all[3], all[4]])
        #expect(try head(store).tombstones == 2)
        #expect(try store.check { _, _ in } == [])
    }

    @Test("a swept zone is removed after its retention, and an unswept one stays")
    func purgeZones() async throws {
        let cloud = try Cloud()
        let store = try cloud.store()
        try await fill(store)
        try await kill(store)
        #expect(try await store.purgeTombstones(deletedBefore: 501, rows: 100) == false)
        #expect(try head(store).zones == 2)
        #expect(try await store.sweepDeadZones(rows: 1_000, at: 1) == false)
        #expect(try await store.purgeTombstones(deletedBefore: 500, rows: 100) == false)
        #expect(try head(store).zones == 2)
        #expect(try await store.purgeTombstones(deletedBefore: 501, rows: 100) == false)
        let head = try head(store)
        #expect((head.zones, head.liveZones) == (1, 1))
        #expect(head.purgedSequence == head.sequence)
        #expect(try store.check { _, _ in } == [])
    }
}
