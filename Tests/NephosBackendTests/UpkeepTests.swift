import Logging
import NephosAssets
import NephosRunner
import NephosStorage
import NephosTesting
import Synchronization
import TestEngines
import Testing

@testable import NephosBackend

@Suite("Background work")
struct UpkeepTests {
    private static let near = Tenant(container: "iCloud.near", environment: .development)
    private static let far = Tenant(container: "iCloud.far", environment: .production)

    /// At time 1.
    private func jobs(_ engine: EmptyEngine, _ outage: StorageOutage = StorageOutage()) -> Jobs {
        let worker = Worker(Runner(engine: engine, outage: outage), clock: { 1 })
        let upkeep = Upkeep(
            worker: worker, tombstoneDays: 1, trashDays: 1,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        return Jobs(upkeep.jobs, worker: worker)
    }

    // docs/running.md, "Background work"
    @Test(
        "Due tenants are swept, their cascades and indexes completed, and purged; no others are opened"
    )
    func sweep() async throws {
        let near = UpkeepStore(Self.near, chunks: 3)
        let far = UpkeepStore(Self.far, chunks: 3)
        let engine = EmptyEngine(stores: [Self.near: near, Self.far: far])
        try engine.jobs.note([JobKey("upkeep", of: Self.near): 1, JobKey("upkeep", of: Self.far): 2])
        await jobs(engine).runDue()
        #expect(near.counts == UpkeepStore.Counts(sweeps: 3, cascades: 3, builds: 3, purges: 3, trash: 3))
        #expect(far.counts == UpkeepStore.Counts())
    }

    @Test("After a server died, all tenants are due")
    func survey() async throws {
        let near = UpkeepStore(Self.near, chunks: 2)
        let far = UpkeepStore(Self.far, chunks: 4)
        let engine = EmptyEngine(stores: [Self.near: near, Self.far: far])
        try engine.jobs.hold(JobKey("survey", of: "another"), by: 7, until: 1)
        await jobs(engine).runDue()
        #expect(near.counts == UpkeepStore.Counts(sweeps: 2, cascades: 2, builds: 2, purges: 2, trash: 2))
        #expect(far.counts == UpkeepStore.Counts(sweeps: 4, cascades: 4, builds: 4, purges: 4, trash: 4))
    }

    @Test(
        "A tenant that fails, or was deleted by another server meanwhile, does not delay the others",
        arguments: [StorageError.noSuchTenant, .busy, .corrupt("a row"), .failed("something")])
    func failingTenant(_ failure: StorageError) async throws {
        let failing = UpkeepStore(Self.far, chunks: 2, failure: failure)
        let near = UpkeepStore(Self.near, chunks: 2)
        let engine = EmptyEngine(stores: [Self.near: near, Self.far: failing])
        let jobs = jobs(engine)
        try await jobs.noteAll()
        await jobs.runDue()
        #expect(failing.counts == UpkeepStore.Counts())
        #expect(near.counts == UpkeepStore.Counts(sweeps: 2, cascades: 2, builds: 2, purges: 2, trash: 2))
    }

    @Test("A full disk is reported as described in docs/running.md, \"When the disk is full\"")
    func full() async throws {
        let outage = StorageOutage()
        let told = Mutex<[StorageOutage.Event]>([])
        outage.listen { event in told.withLock { $0.append(event) } }
        let near = UpkeepStore(Self.near, chunks: 2, failure: .full)
        let engine = EmptyEngine(stores: [Self.near: near])
        try engine.jobs.note([JobKey("upkeep", of: Self.near): 1])
        await jobs(engine, outage).runDue()
        #expect(told.withLock { $0 } == [.filled])
    }

    @Test("An unreadable tenant does not prevent the scan of other files")
    func unreadableTenant() async throws {
        let folder = try TemporaryFolder()
        let engine = EmptyEngine(unreadable: [Self.far: .corrupt("a page"), Self.near: .denied("the folder")])
        let upkeep = AssetUpkeep(
            worker: Worker(Runner(engine: engine), clock: { 1 }), files: try DiskAssetStore(folder: folder.path),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let done = Mutex<[String]>([])
        try await upkeep.removeStrays { last in done.withLock { $0.append(last) } }
        #expect(done.withLock { $0 } == ["", "", Self.far.container, Self.far.container])
    }
}
