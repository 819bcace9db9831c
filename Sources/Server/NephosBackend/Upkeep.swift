package import Logging
import NephosDomain
package import NephosRunner
package import NephosStorage

/// Work that no request waits for: sweeping what deleted zones left, carrying on large cascades, finishing half-built
/// indexes, removing files that nobody holds, noting which credentials were used, and forgetting old tombstones, what has been
/// in the trash for long and sessions that have ended.
///
/// All run in small transactions, so that a request waits for one of them at most. What fails is logged and tried again. Of
/// several servers on one database one is at a tenant at a time (``Jobs``).
package struct Upkeep: Sendable {
    /// Rows of one transaction, small enough for it to stay under 10 ms.
    static let chunkRows = 500
    private static let day: Milliseconds = 86_400_000

    private let tombstonesKept: Milliseconds
    private let trashKept: Milliseconds
    private let interval: Milliseconds
    private let worker: Worker
    private let assets: AssetUpkeep?
    private let logger: Logger

    /// - Parameters:
    ///   - tombstoneDays: Age from which tombstones are forgotten.
    ///   - trashDays: Age from which deleted records are forgotten.
    ///   - interval: Milliseconds from a save to the sweep of its tenant at the latest, and between two notes of who was let in.
    ///     Sixty times as long, the whole store is looked through for leftovers.
    ///   - assets: What removes their files; nil leaves them alone.
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

    /// What is left to do in a tenant.
    private var tenants: Job {
        Job(Job.upkeep, dueAfterWriting: interval) { run, store in
            while try await store.sweepDeadZones(rows: Self.chunkRows, at: worker.now) { try await run.keep() }
            try await worker.carryOnCascades(of: store) { try await run.keep() }
            try await assets?.sweep(store) { try await run.keep() }
            // Also ends what was half-built when a server stopped, and clears up after dropped indexes.
            while try await store.buildIndexes(in: nil, rows: Self.chunkRows) { try await run.keep() }
            try await purge(store, run)
            return .again(at: try await next(in: store))
        }
    }

    /// What no tenant knows of: rows of deleted containers, and files that are named nowhere.
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
        while try await forgetSessions(of: store) { try await run.keep() }
        while try await store.purgeTrash(deletedBefore: now - trashKept, rows: Self.chunkRows, at: now) {
            try await run.keep()
        }
    }

    /// - Returns: Whether there may be more.
    private func forgetSessions(of store: any TenantStore) async throws -> Bool {
        let forget = ForgetSessions(now: worker.now, limit: Self.chunkRows)
        // One that waits with the others of a tenant costs a transaction; nothing costs a look.
        guard try await !worker.rows(forget.sessions, from: store).isEmpty else { return false }
        return try await worker.runner.commit(forget.reading, to: store, decide: forget.decide) == Self.chunkRows
    }

    /// When there will be something to do as far as the store knows, in a day at the latest.
    private func next(in store: any TenantStore) async throws -> Milliseconds {
        let now = worker.now
        let waiting = try await worker.run { try store.waitingRows() }
        if waiting.hasDeadZones || waiting.hasUnfinishedIndexes { return now + interval }
        let sessions = try await worker.rows(SessionRow.expired(before: .max, limit: 1), from: store)
        let times = [
            now + Self.day, waiting.tombstone.map { $0 + tombstonesKept }, waiting.trash.map { $0 + trashKept },
            waiting.releasedFile.map { $0 + AssetReceipt.grace },
            sessions.first.map { $0.expiresAt + ForgetSessions.kept },
        ]
        // What is done is what lies before a moment.
        return max((times.compactMap { $0 }.min() ?? now) + 1, now + interval)
    }

    // MARK: Credentials

    /// Writes down now and then which credentials this process has let in, until the task is cancelled.
    package func run() async {
        while (try? await Task.sleep(for: .milliseconds(interval))) != nil { await noteUses() }
        await noteUses()
    }

    /// Writes down which credentials were used. What cannot be written now is with the next pass.
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
                    "the use of credentials was not noted", metadata: ["tenant": "\(tenant)", "error": "\(error)"])
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
