import CloudKitWire
import Foundation
import NephosStorage
import StorageConformance
import Testing

@testable import NephosPostgres

@Suite("Rows of deleted containers") struct DeletedTenantsTests {
    private static let other = "iCloud.org.example.other"

    /// The total number of rows in all tables except that of the directory.
    private func rows(_ cloud: Cloud) throws -> Int64 {
        let counts = (TableSet.server.stored.map(\.name) + ["catalog"]).map {
            "(SELECT count(*) FROM \($0))"
        }
        return try cloud.number("SELECT \(counts.joined(separator: " + "))") ?? -1
    }

    private func fill(_ store: PostgresTenantStore) async throws {
        try await store.save((0..<50).map { Name("note \($0)") }, references: [.init(target: "x", kind: .none)])
        for number in 0..<10 { try await store.delete(Name("note \(number)"), trash: .init(deletedBy: nil)) }
        try await store.openIndexes([IndexShape(type: Cloud.note, parts: [.value(.recordName)])], in: 1, at: 1)
        while try await store.buildIndexes(in: 1, rows: 100) {}
    }

    /// Marks a container as deleted, like an engine that dies before it removes anything.
    private func markDeleted(_ cloud: Cloud, _ container: String = Cloud.container) throws {
        let directory = PostgresDirectory(engine: cloud.engine, sweeps: false)
        let found = ContainerRow.keyed(container)
        var set = ReadSet()
        set.ask(found)
        try directory.commit(set) { reading in
            var writes = WriteSet()
            writes.remove(reading[found][0])
            writes.containers.deleted = (container, 9)
            return .write(writes, ())
        }
    }

    @Test("all rows of a deleted container are removed, and no others")
    func everything() async throws {
        let cloud = try Cloud()
        try Cloud.create(Self.other, in: cloud.engine)
        let other = try cloud.store(container: Self.other)
        try await fill(other)
        let before = try rows(cloud)
        try await fill(try cloud.store())
        try cloud.engine.deleteContainer(Cloud.container, at: 9)
        // The initial rows of a container: in both environments 3 roles, a type, a field, a grant, the head and the zone of a lane,
        // and the catalog's row.
        #expect(try rows(cloud) == before - 18)
        #expect(try other.findings() == [])
        #expect(try cloud.engine.checkDirectory() == [])
        #expect(try other.record("note 20") != nil)
    }

    @Test("they are removed in chunks of limited size, and another process continues after a crash", arguments: [1, 7])
    func chunks(size: Int) async throws {
        let cloud = try Cloud()
        try await fill(try cloud.store())
        try markDeleted(cloud)
        let other = try cloud.anotherEngine()
        defer { other.close() }
        var left = try rows(cloud)
        var step = 0
        // Each step in a different process, as if the previous one had died.
        while try DeletedTenants(step.isMultiple(of: 2) ? other.pool : cloud.engine.pool, cloud.engine.tables).sweep(
            rows: size)
        {
            let now = try rows(cloud)
            #expect(left - now <= size + 1)
            #expect(now < left)
            left = now
            step += 1
        }
        #expect(left == 0)
        #expect(try DeletedTenants(other.pool, other.tables).sweep(rows: size) == false)
        #expect(try other.checkDirectory() == [])
    }

    @Test("several processes can remove them at the same time")
    func atOnce() async throws {
        let cloud = try Cloud()
        try Cloud.create(Self.other, in: cloud.engine)
        try await fill(try cloud.store())
        try await fill(try cloud.store(container: Self.other))
        try markDeleted(cloud)
        try markDeleted(cloud, Self.other)
        let engines = try (0..<3).map { _ in try cloud.anotherEngine() }
        defer { for engine in engines { engine.close() } }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for engine in engines {
                group.addTask { while try DeletedTenants(engine.pool, engine.tables).sweep(rows: 5) {} }
            }
            try await group.waitForAll()
        }
        while try cloud.engine.sweepDeletedContainers(rows: 1_000) {}
        #expect(try rows(cloud) == 0)
    }

    @Test("an earlier writer is waited for, and its rows are removed too; a later one writes nothing")
    func writers() async throws {
        let cloud = try Cloud()
        let store = try cloud.store()
        let other = try cloud.anotherEngine()
        defer { other.close() }
        try await onThread {
            let session = WriteSession(store, try Connection(cloud.target))
            try session.lock([1])
            try markDeleted(cloud)
            // What it moved is now in a different place than where the sweep found it.
            try session.changeHead(1) { $0.sequence += 1 }
            let sweep = BackgroundTask { done in
                Thread.detachNewThread { done(Result { while try other.sweepDeletedContainers(rows: 1_000) {} }) }
            }
            try cloud.waitUntilSomebodyWaits(for: session)
            let zone = ZoneRow(
                database: 1, number: 2, name: "late", createdSequence: 1, changedSequence: 1, createdAt: 1)
            try session.zoneWriter.insert(zone)
            try session.commit()
            try sweep.wait()
        }
        #expect(try rows(cloud) == 0)
        await #expect(throws: StorageError.noSuchTenant) { try await store.save(["a"]) }
        #expect(try rows(cloud) == 0)
    }
}
