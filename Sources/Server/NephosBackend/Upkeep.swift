package import Logging
package import NephosAssets
import NephosDomain
package import NephosRunner
package import NephosStorage

/// Work that no request waits for: sweeping what deleted zones left, carrying on large cascades, finishing half-built
/// indexes, removing files that nobody holds, noting which credentials were used, and forgetting old tombstones, what has been
/// in the trash for long and sessions that have ended.
///
/// All run in small transactions, so that a request waits for one of them at most. What fails is logged and tried again
/// with the next pass. Of several servers on one database each passes over all of it; what another is at, an engine
/// leaves to it and answers that there is no more to do.
package struct Upkeep: Sendable {
    /// Rows of one transaction, small enough for it to stay under 10 ms.
    static let chunkRows = 500

    private let runner: Runner
    private let tombstonesKept: Milliseconds
    private let trashKept: Milliseconds
    private let sweepEvery: Duration
    private let passesPerPurge: Int
    private let threads: any WaitingThreads
    private let assets: AssetUpkeep?
    private let logger: Logger
    private let clock: @Sendable () -> Milliseconds

    /// - Parameters:
    ///   - tombstoneDays: Age from which tombstones are forgotten.
    ///   - trashDays: Age from which deleted records are forgotten.
    ///   - sweepEvery: Time between two passes. Every pass sweeps the tenants that are open; every `passesPerPurge`th
    ///     opens the others too, and purges tombstones and trash.
    ///   - runner: Whose outages are noted, and the use of credentials, with each pass and at the end.
    ///   - files: Those of assets; nil leaves them alone.
    ///   - threads: Where this may wait for the engine and the disk.
    package init(
        runner: Runner, tombstoneDays: Int, trashDays: Int, sweepEvery: Duration = .seconds(60),
        passesPerPurge: Int = 60, files: (any AssetStore)? = nil,
        threads: any WaitingThreads, fileThreads: (any WaitingThreads)? = nil, logger: Logger,
        clock: @escaping @Sendable () -> Milliseconds = WallClock.now
    ) {
        self.clock = clock
        self.runner = runner
        self.sweepEvery = sweepEvery
        self.passesPerPurge = passesPerPurge
        self.threads = threads
        self.logger = logger
        assets = files.map {
            AssetUpkeep(engine: runner.engine, files: $0, threads: fileThreads ?? threads, logger: logger, clock: clock)
        }
        tombstonesKept = Milliseconds(tombstoneDays) * 86_400_000
        trashKept = Milliseconds(trashDays) * 86_400_000
    }

    /// Works until the task is cancelled, which ends it between two chunks; what is left is done after the next start.
    package func run() async {
        var passes = 0
        while (try? await Task.sleep(for: sweepEvery)) != nil {
            passes += 1
            await pass(includingPurge: passes % passesPerPurge == 0)
        }
        await noteUses()
    }

    /// Writes down which credentials were used. What cannot be written now is with the next pass.
    private func noteUses() async {
        let engine = runner.engine
        for (tenant, rows) in runner.uses.take() {
            var rest = rows[...]
            do {
                guard let store = try await threads.run({ try engine.open(tenant) }) else { continue }
                while !rest.isEmpty {
                    var writes = WriteSet()
                    writes.uses = Array(rest.prefix(Upkeep.chunkRows))
                    try await store.commit(ReadSet()) { [writes] _ in .write(writes, ()) }
                    rest = rest.dropFirst(Upkeep.chunkRows)
                }
            } catch StorageError.noSuchTenant {
                // Its container was deleted meanwhile.
            } catch {
                runner.uses.putBack(Array(rest), of: tenant)
                if case StorageError.unavailable = error { continue }
                logger.error(
                    "the use of credentials was not noted", metadata: ["tenant": "\(tenant)", "error": "\(error)"])
            }
        }
    }

    /// One pass over all tenants.
    func pass(includingPurge: Bool) async {
        await noteUses()
        do {
            let engine = runner.engine
            let containers = try await threads.run { try engine.containers() }
            runner.outage.noteSuccess()
            for tenant in containers.flatMap(Upkeep.tenants) { try await pass(tenant, includingPurge) }
            if includingPurge { try await assets?.removeStrays() }
        } catch is CancellationError {
        } catch StorageError.unavailable(let text) {
            runner.outage.noteFailure(text)
        } catch StorageError.full {
            runner.outage.noteFull()
        } catch {
            logger.error("background work failed", metadata: ["error": "\(error)"])
        }
    }

    /// The part of a pass that belongs to one tenant. What fails here need not fail in the next tenant.
    private func pass(_ tenant: Tenant, _ includingPurge: Bool) async throws {
        do {
            let engine = runner.engine
            let opened = try await threads.run {
                includingPurge ? try engine.open(tenant) : engine.opened(tenant)
            }
            if let opened { try await keepUp(opened, includingPurge: includingPurge) }
        } catch StorageError.noSuchTenant {
            // Its container was deleted meanwhile.
        } catch let error as StorageError where error.isOfOneTenant {
            logger.error("background work failed", metadata: ["tenant": "\(tenant)", "error": "\(error)"])
        } catch let error as AssetError {
            logger.error("background work failed", metadata: ["tenant": "\(tenant)", "error": "\(error)"])
        }
    }

    private func waitingCascades(of store: any TenantStore) async throws -> ContinueCascades? {
        var set = ReadSet()
        set.pendingCascadesMax = 16
        let waiting = try await threads.run { [set] in try store.read(set).pendingCascades }
        return ContinueCascades(waiting, now: clock())
    }

    private static func tenants(of container: ContainerRow) -> [Tenant] {
        Environment.allCases.map { Tenant(container: container.id, environment: $0) }
    }

    private func keepUp(_ store: any TenantStore, includingPurge: Bool) async throws {
        while try await store.sweepDeadZones(rows: Upkeep.chunkRows, at: clock()) {
            try Task.checkCancellation()
        }
        while let cascades = try await waitingCascades(of: store) {
            try await store.commit(cascades.reading, decide: cascades.decide)
            try Task.checkCancellation()
        }
        try await assets?.sweep(store)
        // Also ends what was half-built when a server stopped, and clears up behind dropped indexes.
        while try await store.buildIndexes(in: nil, rows: Upkeep.chunkRows) { try Task.checkCancellation() }
        if includingPurge { try await purge(store) }
    }

    private func forgetSessions(of store: any TenantStore) async throws {
        while true {
            let forget = ForgetSessions(now: clock(), limit: Upkeep.chunkRows)
            let found = try await threads.run { try store.read(forget.reading).sessionLists[0].count }
            // One that waits with the others of a tenant costs a transaction; nothing costs a look.
            guard found > 0 else { return }
            guard try await store.commit(forget.reading, decide: forget.decide) == Upkeep.chunkRows else { return }
            try Task.checkCancellation()
        }
    }

    private func purge(_ store: any TenantStore) async throws {
        let now = clock()
        while try await store.purgeTombstones(deletedBefore: now - tombstonesKept, rows: Upkeep.chunkRows) {
            try Task.checkCancellation()
        }
        try await forgetSessions(of: store)
        while try await store.purgeTrash(deletedBefore: now - trashKept, rows: Upkeep.chunkRows, at: now) {
            try Task.checkCancellation()
        }
    }
}

extension StorageError {
    /// Whether other tenants may fare better.
    fileprivate var isOfOneTenant: Bool {
        switch self {
        case .noSuchTenant, .busy, .denied, .corrupt, .newer, .failed: true
        case .unavailable, .full, .readOnly, .exists, .closed, .abandoned: false
        }
    }
}
