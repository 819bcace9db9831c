package import NephosStorage
import Synchronization

/// Tenants that this process has written to, and in which background work will have something to do, until the store knows
/// (``JobStore/note(_:)``).
///
/// A save writes no note: it says here that there was one, and those of a second are noted together. A process that dies in
/// between leaves no note; therefore others look at all tenants then (``Jobs``).
package final class WrittenTenants: Sendable {
    /// By tenant, the background work that was asked for, and when at the latest. Under nil stands what is done of the whole store.
    typealias Tenants = [Tenant?: [String: Milliseconds]]

    private let state = Mutex<Tenants>([:])

    /// Something was written. - Parameter work: What was asked for with it.
    func note(_ tenant: Tenant?, _ work: [String: Milliseconds] = [:]) {
        state.withLock { tenants in
            if work.isEmpty, tenants[tenant] != nil { return }
            tenants[tenant, default: [:]].merge(work, uniquingKeysWith: min)
        }
    }

    /// Those that must be noted. They are not here any more.
    func take() -> Tenants {
        state.withLock { tenants in
            defer { tenants = [:] }
            return tenants
        }
    }

    /// These could not be noted.
    func putBack(_ tenants: Tenants) { for (tenant, work) in tenants { note(tenant, work) } }
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

    /// Notes in the store what was written since this was called last, and what was asked for with it. May wait.
    package func noteWritten(
        now: Milliseconds, dueAfter delays: [String: Milliseconds] = Runner.dueAfterWriting
    ) throws(StorageError) {
        let tenants = written.take()
        guard !tenants.isEmpty else { return }
        var jobs: [JobKey: Milliseconds] = [:]
        for (tenant, work) in tenants {
            guard let tenant else {
                for (name, time) in work { jobs[JobKey(name)] = time }
                continue
            }
            for (name, delay) in delays { jobs[JobKey(name, of: tenant)] = now + delay }
            for (name, time) in work {
                jobs[JobKey(name, of: tenant)] = min(time, jobs[JobKey(name, of: tenant)] ?? .max)
            }
        }
        do throws(StorageError) { try engine.jobs.note(jobs) } catch {
            written.putBack(tenants)
            throw error
        }
    }
}
