package import NephosStorage
import Synchronization

/// Tenants that this process has written to, and for which background work will be due, until the store knows about it
/// (``JobStore/note(_:)``).
///
/// A save writes no note to the store: it adds one here, and those of a second are noted together. A process that dies in between
/// leaves no note; therefore other servers then survey all tenants (``Jobs``).
package final class WrittenTenants: Sendable {
    /// By tenant, the requested background work, and when it is due at the latest. The nil key is for work of the whole store.
    typealias Tenants = [Tenant?: [String: Milliseconds]]

    private let state = Mutex<Tenants>([:])

    /// Notes a write. - Parameter work: The work that was requested with it.
    func note(_ tenant: Tenant?, _ work: [String: Milliseconds] = [:]) {
        state.withLock { tenants in
            if work.isEmpty, tenants[tenant] != nil { return }
            tenants[tenant, default: [:]].merge(work, uniquingKeysWith: min)
        }
    }

    /// Removes and returns the work to be noted.
    func take() -> Tenants {
        state.withLock { tenants in
            defer { tenants = [:] }
            return tenants
        }
    }

    /// Returns work that could not be noted.
    func putBack(_ tenants: Tenants) { for (tenant, work) in tenants { note(tenant, work) } }
}

extension Runner {
    /// Notes in the store that the engine itself is about to write. Blocks.
    package func noteWork(in tenant: Tenant, now: Milliseconds) throws(StorageError) {
        written.note(tenant)
        try noteWritten(now: now)
    }

    /// The work due after a write to a tenant, and its maximum delay: sweeping deleted data, and looking for changes whose
    /// notifications were not sent.
    package static let dueAfterWriting: [String: Milliseconds] = [Job.upkeep: 60_000, Job.delivery: 10_000]

    /// Notes in the store the writes since the last call, and the work requested with them. Blocks.
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
