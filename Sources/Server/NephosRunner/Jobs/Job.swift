package import NephosStorage
import Synchronization

/// A kind of background work, of which there are many pieces: one for each tenant, or a single one for the whole store.
package struct Job: Sendable {
    /// What comes after a run.
    package enum End: Sendable, Equatable {
        case again(at: Milliseconds)
        /// There is no more to do until somebody notes that there is.
        case over
    }

    /// What its pieces are done of.
    package enum Scope: Sendable {
        case store
        /// Each tenant. A piece is due so long after the tenant was written to; with nil when a write asks for it
        /// (``NephosStorage/WriteSet/ask(for:at:)``). After ``upkeep`` of the tenant in any case.
        case tenants(dueAfterWriting: Milliseconds?)
    }

    /// Names of what is done in a tenant after it was written to, by whichever process: commands note them too.
    package static let upkeep = "upkeep", delivery = "delivery"
    /// Of the whole store: sends what waits in the outbox.
    package static let mails = "mails"
    /// Of the whole store: ends the sessions of accounts that are being deleted, and deletes those that are due.
    package static let leaving = "leaving"

    package let name: String
    package let scope: Scope
    /// Pieces that one server works at at a time.
    let atOnce: Int
    let run: @Sendable (JobRun) async throws -> End

    /// Work in the whole store; due when a server starts, and then whenever it says.
    ///
    /// - Parameter run: Works in small transactions, and calls ``JobRun/keep(_:)`` between two of them.
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
            guard let tenant = job.key.tenant else { return .over }
            return try await run(job, try await job.open(tenant))
        }
    }
}

/// Another process has taken a job over, because its lease was over.
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
    /// Those that are done with it, as all of them ask for the same.
    let along: [JobKey]
    let begun: Milliseconds
    private let jobs: Jobs
    private let state: Mutex<State>

    init(_ job: LeasedJob, _ jobs: Jobs, begun: Milliseconds, along: [JobKey] = []) {
        (key, self.along) = (job.key, along)
        self.jobs = jobs
        self.begun = begun
        state = Mutex(State(progress: job.progress, writtenAt: begun))
    }

    /// How far the one who had it before has come; empty at the beginning.
    package var progress: [UInt8] { state.withLock { $0.progress } }

    /// Milliseconds since 1970, by the clock of the server.
    package var now: Milliseconds { jobs.worker.now }

    /// Goes on, if the job is still this server's. Call it between two transactions.
    ///
    /// - Parameter progress: From where another would go on; nil leaves what was said before. It is written down once a second
    ///   at most, so that another may do the last of it again.
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

    /// Prolongs the lease, and writes down how far the job is, where it is time. However long a step takes, it is one lease.
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
