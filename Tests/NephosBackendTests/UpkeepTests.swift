import Logging
import NephosRunner
import NephosStorage
import Synchronization
import TestEngines
import Testing

@testable import NephosBackend

@Suite("Background work")
struct UpkeepTests {
    private static let near = Tenant(container: "iCloud.near", environment: .development)
    private static let far = Tenant(container: "iCloud.far", environment: .production)

    private func upkeep(_ engine: EmptyEngine, _ outage: StorageOutage = StorageOutage()) -> Upkeep {
        Upkeep(
            runner: Runner(engine: engine, outage: outage), tombstoneDays: 1, trashDays: 1, threads: QueueThreads(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test("A common pass sweeps open tenants, carries on their cascades and indexes to the end, and opens no others")
    func sweep() async {
        let near = UpkeepStore(Self.near, chunks: 3)
        let far = UpkeepStore(Self.far, chunks: 3)
        let engine = EmptyEngine(stores: [Self.near: near, Self.far: far], opened: [Self.near])
        await upkeep(engine).pass(includingPurge: false)
        #expect(near.counts == UpkeepStore.Counts(sweeps: 3, cascades: 3, builds: 3))
        #expect(far.counts == UpkeepStore.Counts())
    }

    @Test("The hourly pass opens every tenant, sweeps it, and purges old tombstones and trash")
    func purge() async {
        let near = UpkeepStore(Self.near, chunks: 2)
        let far = UpkeepStore(Self.far, chunks: 4)
        let engine = EmptyEngine(stores: [Self.near: near, Self.far: far], opened: [Self.near])
        await upkeep(engine).pass(includingPurge: true)
        #expect(near.counts == UpkeepStore.Counts(sweeps: 2, cascades: 2, builds: 2, purges: 2, trash: 2))
        #expect(far.counts == UpkeepStore.Counts(sweeps: 4, cascades: 4, builds: 4, purges: 4, trash: 4))
    }

    @Test(
        "A tenant that fails, or was deleted by another server meanwhile, does not keep the others from their turn",
        arguments: [StorageError.noSuchTenant, .busy, .corrupt("a row"), .failed("something")])
    func failingTenant(_ failure: StorageError) async {
        let failing = UpkeepStore(Self.far, chunks: 2, failure: failure)
        let near = UpkeepStore(Self.near, chunks: 2)
        let engine = EmptyEngine(stores: [Self.near: near, Self.far: failing], opened: [Self.near, Self.far])
        await upkeep(engine).pass(includingPurge: false)
        #expect(failing.counts == UpkeepStore.Counts())
        #expect(near.counts == UpkeepStore.Counts(sweeps: 2, cascades: 2, builds: 2))
    }

    @Test("A full disk is told as what it is: docs/running.md, \"When the disk is full\"")
    func full() async {
        let outage = StorageOutage()
        let told = Mutex<[StorageOutage.Event]>([])
        outage.listen { event in told.withLock { $0.append(event) } }
        let near = UpkeepStore(Self.near, chunks: 2, failure: .full)
        await upkeep(EmptyEngine(stores: [Self.near: near], opened: [Self.near]), outage).pass(includingPurge: false)
        #expect(told.withLock { $0 } == [.filled])
    }
}
