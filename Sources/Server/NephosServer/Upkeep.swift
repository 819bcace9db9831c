package import Logging
import NephosDomain
import NephosHTTP
package import NephosStorage
import ServiceLifecycle

/// Work that no request waits for: sweeping what deleted zones left, carrying on large cascades, finishing half-built
/// indexes, and forgetting old tombstones and what has been in the trash for long.
///
/// All run in small transactions, so that a request waits for one of them at most. A pass that fails is logged and tried
/// again with the next one.
package struct Upkeep: Service {
    /// Rows of one transaction, small enough for it to stay under 10 ms.
    static let chunkRows = 500

    private let engine: any StorageEngine
    private let tombstonesKept: Milliseconds
    private let trashKept: Milliseconds
    private let sweepEvery: Duration
    private let passesPerPurge: Int
    private let logger: Logger

    /// - Parameters:
    ///   - tombstoneDays: Age from which tombstones are forgotten.
    ///   - trashDays: Age from which deleted records are forgotten.
    ///   - sweepEvery: Time between two passes. Every pass sweeps the tenants that are open; every `passesPerPurge`th
    ///     opens the others too, and purges tombstones and trash.
    package init(
        engine: any StorageEngine, tombstoneDays: Int, trashDays: Int, sweepEvery: Duration = .seconds(60),
        passesPerPurge: Int = 60,
        logger: Logger
    ) {
        self.engine = engine
        self.sweepEvery = sweepEvery
        self.passesPerPurge = passesPerPurge
        self.logger = logger
        tombstonesKept = Milliseconds(tombstoneDays) * 86_400_000
        trashKept = Milliseconds(trashDays) * 86_400_000
    }

    package func run() async throws {
        // Cancelled between chunks when the server stops; what is left is done after the next start.
        await cancelWhenGracefulShutdown {
            for pass in 0... {
                guard (try? await Task.sleep(for: sweepEvery)) != nil else { return }
                await self.pass(includingPurge: pass % passesPerPurge == passesPerPurge - 1)
            }
        }
    }

    /// One pass over all tenants.
    func pass(includingPurge: Bool) async {
        do {
            for tenant in try engine.containers().flatMap(Upkeep.tenants) {
                guard let store = includingPurge ? try engine.open(tenant) : engine.opened(tenant) else { continue }
                try await keepUp(store, includingPurge: includingPurge)
            }
        } catch is CancellationError {
        } catch {
            logger.error("background work failed", metadata: ["error": "\(error)"])
        }
    }

    private static func waitingCascades(of store: any TenantStore) throws -> ContinueCascades? {
        var set = ReadSet()
        set.pendingCascadesMax = 16
        return ContinueCascades(try store.read(set).pendingCascades, now: WallClock.now())
    }

    private static func tenants(of container: ContainerRow) -> [Tenant] {
        Environment.allCases.map { Tenant(container: container.id, environment: $0) }
    }

    private func keepUp(_ store: any TenantStore, includingPurge: Bool) async throws {
        while try await store.sweepDeadZones(rows: Upkeep.chunkRows) { try Task.checkCancellation() }
        while let cascades = try Upkeep.waitingCascades(of: store) {
            try await store.commit(cascades.reading, decide: cascades.decide)
            try Task.checkCancellation()
        }
        // Also ends what was half-built when a server stopped, and clears up behind dropped indexes.
        while try await store.buildIndexes(in: nil, rows: Upkeep.chunkRows) { try Task.checkCancellation() }
        if includingPurge { try await purge(store) }
    }

    private func purge(_ store: any TenantStore) async throws {
        let now = WallClock.now()
        while try await store.purgeTombstones(deletedBefore: now - tombstonesKept, rows: Upkeep.chunkRows) {
            try Task.checkCancellation()
        }
        while try await store.purgeTrash(deletedBefore: now - trashKept, rows: Upkeep.chunkRows) {
            try Task.checkCancellation()
        }
    }
}
