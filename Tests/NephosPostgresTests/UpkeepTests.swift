import CloudKitWire
import NephosStorage
import StorageConformance
import Testing

@testable import NephosPostgres

@Suite("Maintenance by several processes") struct UpkeepTests {
    private let zone = ZoneKey.name(1, "Trips")

    /// A dead zone with 30 records that hold 2 references each.
    private func makeDeadZone(_ store: PostgresTenantStore, named name: Name = "Trips") async throws {
        var set = ReadSet()
        set.databases = [1]
        try await store.commit(set) { reading in
            guard var head = reading.databases[0] else { throw StorageError.noSuchTenant }
            head.sequence += 1
            head.zoneNumber += 1
            var zone = ZoneRow(
                database: 1, number: head.zoneNumber, name: name, state: .dead, createdSequence: head.sequence,
                changedSequence: head.sequence, createdAt: 1, deletedAt: 2)
            var writes = WriteSet()
            for number in 1...30 {
                head.sequence += 1
                head.recordNumber += 1
                let record = RecordRow(
                    database: 1, number: head.recordNumber, zone: zone.number, name: Name("trip \(number)"),
                    sequence: head.sequence, tagSequence: head.sequence, type: 1, createdAt: 1, createdBy: Notes.user,
                    modifiedAt: 1, modifiedBy: Notes.user, referenceCount: 2, fields: Bytes("{}"))
                let targets: [ReferenceTarget] = [.init(target: "x", kind: .none), .init(target: "y", kind: .none)]
                writes.records.append(RecordWrite(old: nil, new: record, references: targets))
            }
            zone.changedSequence = head.sequence
            writes.zones = [ZoneWrite(old: nil, new: zone)]
            writes.heads = [head]
            return .write(writes, ())
        }
    }

    /// Repeats a maintenance step until it reports that nothing is left.
    private func repeated(_ step: @escaping @Sendable () async throws -> Bool) async throws {
        while try await step() {}
    }

    @Test(
        "a deleted zone is removed in chunks of limited size, and every intermediate state is consistent",
        arguments: [1, 7, 1_000])
    func sweep(rows: Int) async throws {
        let cloud = try Cloud()
        let store = try cloud.store()
        try await makeDeadZone(store)
        try await makeDeadZone(store, named: "Other")
        try await store.openIndexes([IndexShape(type: 1, parts: [.value(.recordName)])], in: 1, at: 1)
        var left: Int64 = 180
        var steps = 1
        while try await store.sweepDeadZones(rows: rows, at: 1) {
            let head = try store.head()
            let remaining = head.records + head.references
            #expect(left - remaining <= rows)
            left = remaining
            steps += 1
            if steps.isMultiple(of: 19) { #expect(try store.findings() == []) }
        }
        // The last step of a zone may find nothing in it.
        #expect(steps <= 180 / rows + 2)
        #expect(try store.head().records == 0)
        #expect(try store.head().recordBytes == 0)
        #expect(try cloud.number("SELECT count(*) FROM zones WHERE state = 2") == 2)
        #expect(try await store.sweepDeadZones(rows: rows, at: 1) == false)
    }

    @Test("many engines that sweep, purge and build at the same time do everything once, and count correctly")
    func atOnce() async throws {
        let cloud = try Cloud()
        let store = try cloud.store()
        let byName = IndexShape(type: Cloud.note, parts: [.value(.recordName)])
        for number in 0..<4 { try await makeDeadZone(store, named: Name("Trips \(number)")) }
        let names = (0..<60).map { Name("note \($0)") }
        try await store.save(names)
        for name in names.prefix(40) { try await store.delete(name, trash: .init(deletedBy: nil)) }
        try await store.openIndexes([byName], in: 1, at: 1)
        let engines = try (0..<3).map { _ in try cloud.anotherEngine() }
        defer { for engine in engines { engine.close() } }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for engine in engines {
                let store = try cloud.store(engine)
                group.addTask { try await repeated { try await store.sweepDeadZones(rows: 7, at: 1) } }
                group.addTask { try await repeated { try await store.purgeTombstones(deletedBefore: 9, rows: 3) } }
                group.addTask { try await repeated { try await store.purgeTrash(deletedBefore: 9, rows: 3, at: 1) } }
                group.addTask { try await repeated { try await store.buildIndexes(in: 1, rows: 5) } }
                group.addTask { try await repeated { try await store.buildIndexes(in: nil, rows: 5) } }
            }
            group.addTask { for name in names.suffix(20) { try await store.save([name], fields: Notes.text("x")) } }
            try await group.waitForAll()
        }
        #expect(try await store.sweepDeadZones(rows: 1, at: 1) == false)
        #expect(try await store.purgeTrash(deletedBefore: 9, rows: 1, at: 1) == false)
        #expect(try await store.purgeTombstones(deletedBefore: 9, rows: 100) == false)
        #expect(try store.findings() == [])
        let head = try store.head()
        #expect((head.records, head.references, head.tombstones, head.trash, head.zones) == (20, 0, 0, 0, 1))
        #expect(try store.indexes().map(\.state) == [.ready])
        #expect(try cloud.number("SELECT count(*) FROM index_rows") == 20)
    }

    @Test("maintenance of a deleted container reports that it is missing")
    func deletedContainer() async throws {
        let cloud = try Cloud()
        let store = try cloud.store()
        let other = try cloud.anotherEngine()
        defer { other.close() }
        try other.deleteContainer(Cloud.container, at: 9)
        let steps: [@Sendable () async throws -> Bool] = [
            { try await store.sweepDeadZones(rows: 10, at: 1) },
            { try await store.purgeTombstones(deletedBefore: 9, rows: 10) },
            { try await store.purgeTrash(deletedBefore: 9, rows: 10, at: 1) },
            { try await store.buildIndexes(in: nil, rows: 10) },
            { try await store.buildIndexes(in: 1, rows: 10) },
        ]
        for step in steps { await #expect(throws: StorageError.noSuchTenant) { try await step() } }
        await #expect(throws: StorageError.noSuchTenant) {
            try await store.openIndexes([IndexShape(type: 1, parts: [.value(.recordName)])], in: 1, at: 1)
        }
    }
}
