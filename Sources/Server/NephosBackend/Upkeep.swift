package import Logging
import NephosDomain
package import NephosRunner
package import NephosStorage

/// Work that no request waits for: sweeping deleted zones, continuing large cascades, completing half-built indexes, removing
/// unreferenced files, recording uses of credentials, and deleting old tombstones, old trash and expired sessions.
///
/// All of it runs in small transactions, so that a request waits for at most one of them. Failures are logged and retried. Of
/// several servers on one database, one works on a tenant at a time (``Jobs``).
package struct Upkeep: Sendable {
    /// Rows per transaction: few enough to stay under 10 ms.
    static let chunkRows = 500
    private static let day: Milliseconds = 86_400_000

    private let tombstonesKept: Milliseconds
    private let trashKept: Milliseconds
    private let interval: Milliseconds
    private let worker: Worker
    private let assets: AssetUpkeep?
    private let logger: Logger

    /// - Parameters:
    ///   - tombstoneDays: The age at which tombstones are deleted.
    ///   - trashDays: The age at which deleted records are removed from the trash.
    ///   - interval: The maximum delay in milliseconds from a save to the sweep of its tenant, and the interval between records
    ///     of credential uses. At sixty times that interval, the whole store is searched for leftovers.
    ///   - assets: Removes files; nil leaves them alone.
    package init(
        worker: Worker, tombstoneDays: Int, trashDays: Int, interval: Milliseconds = 60_000,
        assets: AssetUpkeep? = nil, logger: Logger
    ) {
        self.worker = worker
        self.interval = interval
        self.assets = assets
        self.logger = logger
        tombstonesKept = Milliseconds(tombstoneDays) * Self.day
        trashKept = Milliseconds(trashDays) * Self.day
    }

    // MARK: Jobs

    package var jobs: [Job] { [tenants, leftovers] }

    /// The remaining work of a tenant.
    private var tenants: Job {
        Job(Job.upkeep, dueAfterWriting: interval) { run, store in
            while try await store.sweepDeadZones(rows: Self.chunkRows, at: worker.now) { try await run.keep() }
            try await worker.carryOnCascades(of: store) { try await run.keep() }
            try await assets?.sweep(store) { try await run.keep() }
            // Also completes indexes left half-built when a server stopped, and cleans up after dropped indexes.
            while try await store.buildIndexes(in: nil, rows: Self.chunkRows) { try await run.keep() }
            try await purge(store, run)
            return .again(at: try await next(in: store))
        }
    }

    /// Leftovers outside of tenants: rows of deleted containers, and files without rows.
    private var leftovers: Job {
        Job("leftovers") { run in
            let engine = worker.engine
            while try await worker.run({ try engine.sweepDeletedContainers(rows: 2 * Self.chunkRows) }) {
                try await run.keep()
            }
            try await assets?.removeStrays(after: String(decoding: run.progress, as: UTF8.self)) { done in
                try await run.keep(Array(done.utf8))
            }
            return .again(at: worker.now + 60 * interval)
        }
    }

    private func purge(_ store: any TenantStore, _ run: JobRun) async throws {
        let now = worker.now
        while try await store.purgeTombstones(deletedBefore: now - tombstonesKept, rows: Self.chunkRows) {
            try await run.keep()
        }
        while try await purgeDepartures(of: store, before: now - tombstonesKept) { try await run.keep() }
        while try await forgetSessions(of: store) { try await run.keep() }
        while try await store.purgeTrash(deletedBefore: now - trashKept, rows: Self.chunkRows, at: now) {
            try await run.keep()
        }
    }

    /// - Returns: Whether there may be more.
    private func purgeDepartures(of store: any TenantStore, before time: Milliseconds) async throws -> Bool {
        let old = PurgeDepartures.old(before: time, limit: Self.chunkRows)
        guard let purge = PurgeDepartures(try await worker.rows(old, from: store)) else { return false }
        return try await worker.runner.commit(purge.reading, to: store, decide: purge.decide) > 0
    }

    /// - Returns: Whether there may be more.
    private func forgetSessions(of store: any TenantStore) async throws -> Bool {
        let forget = ForgetSessions(now: worker.now, limit: Self.chunkRows)
        // A transaction waits with the others of a tenant, so check first whether there is anything to do.
        guard try await !worker.rows(forget.sessions, from: store).isEmpty else { return false }
        return try await worker.runner.commit(forget.reading, to: store, decide: forget.decide) == Self.chunkRows
    }

    /// When there will be something to do as far as the store knows, within a day.
    private func next(in store: any TenantStore) async throws -> Milliseconds {
        let now = worker.now
        let waiting = try await worker.run { try store.waitingRows() }
        if waiting.hasDeadZones || waiting.hasUnfinishedIndexes { return now + interval }
        let sessions = try await worker.rows(SessionRow.expired(before: .max, limit: 1), from: store)
        let departure = try await worker.rows(PurgeDepartures.old(before: .max, limit: 1), from: store).first
        let times = [
            now + Self.day, departure.map { $0.leftAt + tombstonesKept }, waiting.tombstone.map { $0 + tombstonesKept },
            waiting.trash.map { $0 + trashKept },
            waiting.releasedFile.map { $0 + AssetReceipt.grace },
            sessions.first.map { $0.expiresAt + ForgetSessions.kept },
        ]
        // Rows are due strictly before a time, so add one millisecond.
        return max((times.compactMap { $0 }.min() ?? now) + 1, now + interval)
    }

    // MARK: Credentials

    /// Records at intervals which credentials this process has admitted, until the task is cancelled.
    package func run() async {
        while (try? await Task.sleep(for: .milliseconds(interval))) != nil { await noteUses() }
        await noteUses()
    }

    /// Records which credentials were used. What cannot be written now is left for the next pass.
    package func noteUses() async {
        let uses = worker.runner.uses
        for (tenant, rows) in uses.take() {
            var rest = rows[...]
            await worker.work(at: tenant) { error in
                uses.putBack(Array(rest), of: tenant)
                switch error {
                case StorageError.unavailable, StorageError.full: return
                default: break
                }
                logger.error(
                    "the use of credentials could not be recorded",
                    metadata: ["tenant": "\(tenant)", "error": "\(error)"])
            } _: { store in
                while !rest.isEmpty {
                    let note = NoteUses(rest.prefix(Self.chunkRows))
                    try await store.commit(note.reading, decide: note.decide)
                    rest = rest.dropFirst(Self.chunkRows)
                }
            }
        }
    }
}
