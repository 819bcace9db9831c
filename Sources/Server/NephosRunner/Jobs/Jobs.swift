package import NephosStorage
import Synchronization

/// Runs background work; each piece is done by one of all servers on a store (docs/decisions/0019).
///
/// The store records what is due and who holds each lease. This polls it once a second, takes as many jobs as it has room for,
/// and extends their leases. When a server dies its leases expire, and another server resumes from the recorded progress.
package final class Jobs: Sendable {
    /// How a run ended, for metrics and logs.
    package enum Outcome: String, Sendable, CaseIterable {
        case done, failed
        /// Another server has taken it over.
        case lost
    }

    /// Called with the result of runs. Must not block.
    package typealias Observer = @Sendable (_ key: JobKey, _ outcome: Outcome, _ error: (any Error)?) -> Void

    /// The interval between two polls if there was more work than room. Most runs take milliseconds.
    private static let soon = Duration.milliseconds(50)
    /// The delay after a failure.
    private static let againAfter: Milliseconds = 60_000
    /// Each running server holds one job for itself. A server that takes over the job of another knows that it died, and that
    /// work may not have been noted.
    private static let survey = "survey"
    /// The maximum number of dead servers for which one survey of all tenants is enough.
    private static let livesMax = 1_000

    let lease: Milliseconds
    let worker: Worker
    private let kinds: [Job]
    private let survey: Job
    private let observer: Observer
    private let holder = Int64.random(in: 1 ... .max)
    private let running = Mutex<[JobKey: JobRun]>([:])
    private let heldUntil = Mutex<Milliseconds>(0)
    /// Whether the last poll failed.
    private let isFailing = Atomic(false)

    /// - Parameter lease: Milliseconds after which an unresponsive server loses its jobs.
    package init(
        _ kinds: [Job], worker: Worker, lease: Milliseconds = 30_000, observer: @escaping Observer = { _, _, _ in }
    ) {
        self.worker = worker
        self.lease = lease
        self.observer = observer
        precondition(
            Set(kinds.map(\.name)).count == kinds.count, "two kinds of jobs have one name: \(kinds.map(\.name))")
        self.kinds = kinds
        survey = Job(Self.survey, kinds, worker)
    }

    // MARK: Running

    /// Works until the task is cancelled, which ends each job between two of its transactions; another server resumes it, or this
    /// one after its next start.
    package func run() async {
        await withDiscardingTaskGroup { group in
            var hasMore = false
            repeat {
                hasMore = false
                await watchingFailures {
                    try await announce()
                    try await prolong()
                    try await noteWritten()
                    hasMore = try await takeDue { kind, run in group.addTask { await self.carryOut(kind, run) } }
                }
            } while (try? await Task.sleep(for: hasMore ? Self.soon : .seconds(1))) != nil
            group.cancelAll()
        }
        await watchingFailures { try await leave() }
    }

    /// Runs everything that is due, and everything that becomes due meanwhile, to completion.
    package func runDue() async {
        var isOver = false
        while !isOver {
            isOver = true
            await withDiscardingTaskGroup { group in
                await watchingFailures {
                    try await noteWritten()
                    _ = try await takeDue { kind, run in
                        isOver = false
                        group.addTask { await self.carryOut(kind, run) }
                    }
                }
            }
        }
    }

    /// Notes for all tenants that all work is due.
    package func noteAll() async throws {
        try await worker.run { [kinds, worker] in try kinds.note(of: worker.engine, at: worker.now) }
    }

    /// Takes over due jobs, as many as there is room for.
    ///
    /// - Parameter begin: Starts ``carryOut(_:_:)``, also for jobs that were taken before a failure.
    /// - Returns: Whether there may be more.
    private func takeDue(_ begin: (Job, JobRun) -> Void) async throws -> Bool {
        var hasMore = false
        for kind in kinds + [survey] {
            let room = running.withLock { runs in kind.atOnce - runs.keys.count { $0.name == kind.name } }
            guard room > 0, !Task.isCancelled else { continue }
            let (holder, now, until) = (holder, worker.now, worker.now + lease)
            let limit = kind.name == Self.survey ? Self.livesMax : room
            let jobs = try await worker.run { [engine = worker.engine] in
                try engine.jobs.lease(kind.name, by: holder, until: until, now: now, limit: limit)
            }
            if jobs.count == limit { hasMore = true }
            for run in runs(of: kind, jobs, begun: now) {
                // Its lease expired here, and no other server took it: the run continues.
                let isNew = running.withLock { runs in
                    if runs[run.key] != nil { return false }
                    runs[run.key] = run
                    return true
                }
                if isNew {
                    begin(kind, run)
                } else {
                    // What was requested meanwhile is lost with the new lease, so note it again.
                    try await worker.run { [engine = worker.engine] in try engine.jobs.note([run.key: now]) }
                }
            }
        }
        return hasMore
    }

    /// One survey of all tenants covers all dead servers: a server that crashes at each start must not leave more work each time.
    private func runs(of kind: Job, _ jobs: [LeasedJob], begun: Milliseconds) -> [JobRun] {
        guard kind.name == Self.survey, let first = jobs.first else {
            return jobs.map { JobRun($0, self, begun: begun) }
        }
        return [JobRun(first, self, begun: begun, mergedKeys: jobs.dropFirst().map(\.key))]
    }

    /// Extends the leases of running jobs; ``run()`` calls it once a second, because a step may take longer than a lease.
    package func prolong() async throws {
        for run in running.withLock({ Array($0.values) }) { try await run.prolong() }
    }

    private func carryOut(_ kind: Job, _ run: JobRun) async {
        defer { running.withLock { if $0[run.key] === run { $0[run.key] = nil } } }
        do {
            switch try await kind.run(run) {
            case .again(let time): await end(run, next: time)
            case .finished: await end(run, next: nil)
            }
            for key in run.mergedKeys { await end(key, next: nil) }
            if kind.name == Job.upkeep, let tenant = run.key.tenant { await noteAsked(of: tenant) }
            observer(run.key, .done, nil)
        } catch is LeaseLost {
            observer(run.key, .lost, nil)
        } catch is CancellationError {
            await end(run, next: run.begun, progress: run.progress)
        } catch {
            // Another tenant may have been created with the same name.
            if error as? StorageError == .noSuchTenant, let tenant = run.key.tenant {
                await end(run, next: await isGone(tenant) ? nil : worker.now + Self.againAfter)
                return observer(run.key, .done, nil)
            }
            worker.runner.outage.note(error)
            await end(run, next: worker.now + Self.againAfter, progress: run.progress)
            observer(run.key, .failed, error)
        }
    }

    /// Whether the tenant no longer exists. A tenant that cannot be opened for another reason exists.
    private func isGone(_ tenant: Tenant) async -> Bool {
        do {
            _ = try await worker.open(tenant)
            return false
        } catch { return error as? StorageError == .noSuchTenant }
    }

    /// Ends a run. If that fails, another server takes the job when its lease expires.
    private func end(_ run: JobRun, next: Milliseconds?, progress: [UInt8] = []) async {
        await end(run.key, next: next, progress: progress)
    }

    private func end(_ key: JobKey, next: Milliseconds?, progress: [UInt8] = []) async {
        let holder = holder
        await watchingFailures {
            try await worker.run { [engine = worker.engine] in
                try engine.jobs.end(key, by: holder, next: next, progress: progress)
            }
        }
    }

    func keep(_ key: JobKey, progress: [UInt8]) async throws -> Bool {
        let (holder, until) = (holder, worker.now + lease)
        return try await worker.run { [engine = worker.engine] in
            try engine.jobs.keep(key, by: holder, until: until, progress: progress)
        }
    }

    // MARK: This server

    private var life: JobKey { JobKey(Self.survey, of: String(holder)) }

    /// Announces that this server is running, and renews that. A previous server may have died with work not noted, so all
    /// tenants are surveyed immediately.
    private func announce() async throws {
        let now = worker.now
        let held = heldUntil.withLock { $0 }
        guard held - now < lease * 2 / 3 else { return }
        let (life, holder, until) = (life, holder, now + lease)
        try await worker.run { [engine = worker.engine] in
            guard try held == 0 || !engine.jobs.keep(life, by: holder, until: until, progress: []) else { return }
            try engine.jobs.hold(life, by: holder, until: until)
        }
        if held == 0 { try await noteAll() }
        heldUntil.withLock { $0 = until }
    }

    private func leave() async throws {
        try await noteWritten()
        let (life, holder) = (life, holder)
        try await worker.run { [engine = worker.engine] in
            try engine.jobs.end(life, by: holder, next: nil, progress: [])
        }
    }

    private func noteWritten() async throws {
        let (now, delays) = (worker.now, kinds.dueAfterWriting)
        try await worker.run { [runner = worker.runner] in try runner.noteWritten(now: now, dueAfter: delays) }
    }

    /// Notes all other work of a tenant: for writes of commands that do not include features, and for what a process did not note before
    /// it died.
    private func noteAsked(of tenant: Tenant) async {
        let names = kinds.filter { if case .tenants = $0.scope { $0.name != Job.upkeep } else { false } }.map(\.name)
        guard !names.isEmpty else { return }
        let now = worker.now
        let jobs = Dictionary(uniqueKeysWithValues: names.map { (JobKey($0, of: tenant), now) })
        await watchingFailures { try await worker.run { [engine = worker.engine] in try engine.jobs.note(jobs) } }
    }

    // MARK: Failures

    /// Failed work is tried again with the next poll.
    private func watchingFailures(_ body: () async throws -> Void) async {
        do {
            try await body()
            worker.runner.outage.noteSuccess()
            isFailing.store(false, ordering: .relaxed)
        } catch is CancellationError {
        } catch {
            worker.runner.outage.note(error)
            if !isFailing.exchange(true, ordering: .relaxed) { observer(life, .failed, error) }
        }
    }
}

extension Job {
    /// Surveys all tenants in place of a server that died.
    fileprivate init(_ name: String, _ kinds: [Job], _ worker: Worker) {
        self.init(name) { run in
            try await worker.run { try kinds.note(of: worker.engine, at: run.now) }
            return .finished
        }
    }
}

extension [Job] {
    fileprivate var dueAfterWriting: [String: Milliseconds] {
        reduce(into: [:]) { delays, job in
            if case .tenants(let delay?) = job.scope { delays[job.name] = delay }
        }
    }

    /// Notes that all pieces of all tenants are due, and those of the whole store.
    fileprivate func note(of engine: any StorageEngine, at time: Milliseconds) throws(StorageError) {
        try engine.jobs.note(
            reduce(into: [:]) { jobs, job in
                if case .store = job.scope { jobs[JobKey(job.name)] = time }
            })
        for container in try engine.containers() {
            var jobs: [JobKey: Milliseconds] = [:]
            for environment in Environment.allCases {
                for job in self {
                    guard case .tenants = job.scope else { continue }
                    jobs[JobKey(job.name, of: Tenant(container: container.id, environment: environment))] = time
                }
            }
            try engine.jobs.note(jobs)
        }
    }
}
