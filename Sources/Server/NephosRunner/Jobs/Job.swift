package import NephosStorage
import Synchronization

/// A kind of background work, divided into pieces: one for each tenant, or a single one for the whole store.
package struct Job: Sendable {
    /// What follows a run.
    package enum End: Sendable, Equatable {
        case again(at: Milliseconds)
        /// There is no more to do until more work is noted.
        case finished
    }

    /// What a piece covers.
    package enum Scope: Sendable {
        case store
        /// Each tenant. A piece is due this long after the tenant was written to; with nil, when a write asks for it
        /// (``NephosStorage/WriteSet/ask(for:at:)``). In any case after ``upkeep`` of the tenant.
        case tenants(dueAfterWriting: Milliseconds?)
    }

    /// Names of work that is done in a tenant after any process has written to it: commands note it too.
    package static let upkeep = "upkeep", delivery = "delivery"
    /// For the whole store: sends the mails in the outbox.
    package static let mails = "mails"
    /// For the whole store: ends the sessions of accounts that are being deleted, and deletes accounts that are due.
    package static let leaving = "leaving"

    package let name: String
    package let scope: Scope
    /// The maximum number of pieces that one server runs at a time.
    let atOnce: Int
    let run: @Sendable (JobRun) async throws -> End

    /// Work for the whole store; due when a server starts, and then at the times that it returns.
    ///
    /// - Parameter run: Works in small transactions, and calls ``JobRun/keep(_:)`` between them.
    package init(_ name: String, run: @escaping @Sendable (JobRun) async throws -> End) {
        self.name = name
        scope = .store
        atOnce = 1
        self.run = run
    }

    /// Work in each tenant.
    package init(
        _ name: String, dueAfterWriting delay: Milliseconds?, atOnce: Int = 2,
        run: @escaping @Sendable (JobRun, any TenantStore) async throws -> End
    ) {
        self.name = name
        scope = .tenants(dueAfterWriting: delay)
        self.atOnce = atOnce
        self.run = { job in
            guard let tenant = job.key.tenant else { return .finished }
            return try await run(job, try await job.open(tenant))
        }
    }
}

/// Another process has taken over the job because the lease expired.
package struct LeaseLost: Error {
    package init() {}
}

/// One run of a job, under a lease.
package final class JobRun: Sendable {
    private struct State {
        var progress: [UInt8]
        var writtenAt: Milliseconds
        var hasMoved = false
        var isLost = false
    }

    package let key: JobKey
    /// Jobs that are done together with this one, because all ask for the same work.
    let mergedKeys: [JobKey]
    let begun: Milliseconds
    private let jobs: Jobs
    private let state: Mutex<State>

    init(_ job: LeasedJob, _ jobs: Jobs, begun: Milliseconds, mergedKeys: [JobKey] = []) {
        (key, self.mergedKeys) = (job.key, mergedKeys)
        self.jobs = jobs
        self.begun = begun
        state = Mutex(State(progress: job.progress, writtenAt: begun))
    }

    /// The progress that the previous holder recorded; empty at the beginning.
    package var progress: [UInt8] { state.withLock { $0.progress } }

    /// Milliseconds since 1970, by the server's clock.
    package var now: Milliseconds { jobs.worker.now }

    /// Continues if this server still holds the job. Call it between two transactions.
    ///
    /// - Parameter progress: Where another server would resume; nil keeps the previous value. Recorded at most once a second, so
    ///   another server may repeat the last part.
    /// - Throws: ``LeaseLost``; `CancellationError` when the server is about to stop.
    package func keep(_ progress: [UInt8]? = nil) async throws {
        try Task.checkCancellation()
        if let progress {
            state.withLock { state in
                if state.progress != progress { (state.progress, state.hasMoved) = (progress, true) }
            }
        }
        try await prolong()
        if state.withLock({ $0.isLost }) { throw LeaseLost() }
    }

    /// Extends the lease and records the progress, if it is time. The lease is kept however long a step takes.
    func prolong() async throws {
        let now = now
        let due = state.withLock { state -> [UInt8]? in
            let interval = state.hasMoved ? min(1_000, jobs.lease / 3) : jobs.lease / 3
            guard !state.isLost, now - state.writtenAt >= interval else { return nil }
            (state.writtenAt, state.hasMoved) = (now, false)
            return state.progress
        }
        guard let due, try await !jobs.keep(key, progress: due) else { return }
        state.withLock { $0.isLost = true }
    }

    func open(_ tenant: Tenant) async throws -> any TenantStore { try await jobs.worker.open(tenant) }
}
