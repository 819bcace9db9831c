package import NephosStorage
import Synchronization

/// Tenants that this process has written to, and in which background work will have something to do, until the store knows
/// (``JobStore/note(_:)``).
///
/// A save writes no note: it says here that there was one, and those of a second are noted together. A process that dies in
/// between leaves no note; therefore others look at all tenants then (``Jobs``).
package final class WrittenTenants: Sendable {
    private let state = Mutex<Set<Tenant>>([])

    /// Something was written.
    func note(_ tenant: Tenant) { state.withLock { _ = $0.insert(tenant) } }

    /// Those that must be noted. They are not here any more.
    func take() -> Set<Tenant> {
        state.withLock { tenants in
            defer { tenants = [] }
            return tenants
        }
    }

    /// These could not be noted.
    func putBack(_ tenants: Set<Tenant>) { state.withLock { $0.formUnion(tenants) } }
}

extension Runner {
    /// Notes in the store that something is about to be written by the engine itself. May wait.
    package func noteWork(in tenant: Tenant, now: Milliseconds) throws(StorageError) {
        written.note(tenant)
        try noteWritten(now: now)
    }

    /// What is to be done in a tenant after something was written, and how long after at the latest: sweeping what was deleted,
    /// and looking for changes that nobody was notified of.
    package static let dueAfterWriting: [String: Milliseconds] = [Job.upkeep: 60_000, Job.delivery: 10_000]

    /// Notes in the store what was written since this was called last. May wait.
    package func noteWritten(
        now: Milliseconds, dueAfter delays: [String: Milliseconds] = Runner.dueAfterWriting
    ) throws(StorageError) {
        let tenants = written.take()
        guard !tenants.isEmpty else { return }
        var jobs: [JobKey: Milliseconds] = [:]
        for tenant in tenants {
            for (name, delay) in delays { jobs[JobKey(name, of: tenant)] = now + delay }
        }
        do throws(StorageError) { try engine.jobs.note(jobs) } catch {
            written.putBack(tenants)
            throw error
        }
    }
}
