package import NephosDomain
package import NephosStorage
import Synchronization

/// Extends sessions that are used, separately from the requests that use them (docs/decisions/0048). If a process dies, what it
/// had noted is noted again by the next request.
package final class SessionExtender: Sendable {
    private struct Place: Hashable {
        let tenant: Tenant
        let session: [UInt8]
    }

    private struct State {
        /// Waiting or being written: each session once.
        var noted: Set<Place> = []
        var waiting: [Tenant: [SessionUse]] = [:]
        /// Until when to skip tenants for which writing failed.
        var pausedUntil: [Tenant: Milliseconds] = [:]
        /// Callers that wait until everything is written.
        var finishing: [CheckedContinuation<Void, Never>] = []
    }

    /// About 300 bytes each. While this many are waiting, further uses are not noted; a later request notes them.
    private static let notedMax = 50_000
    /// How long to skip a container whose store could not be written.
    private static let pause: Milliseconds = 60_000

    private let worker: Worker
    private let failed: @Sendable (Tenant, any Error) -> Void
    private let state = Mutex(State())
    private let queue = CoalescingWorkQueue<Tenant>(limit: 4)

    /// - Parameter failed: Called with the error of a transaction.
    package init(_ worker: Worker, failed: @escaping @Sendable (Tenant, any Error) -> Void = { _, _ in }) {
        self.worker = worker
        self.failed = failed
    }

    /// Notes a use of a session by its authenticated person that extends it. Never blocks.
    package func note(_ use: SessionUse, of tenant: Tenant) {
        let isNew = state.withLock { state in
            guard state.noted.count < Self.notedMax, use.time >= state.pausedUntil[tenant] ?? .min,
                state.noted.insert(Place(tenant: tenant, session: use.session.id)).inserted
            else { return false }
            state.waiting[tenant, default: []].append(use)
            return true
        }
        guard isNew, !queue.submit(tenant, extend) else { return }
        end(state.withLock { $0.waiting.removeValue(forKey: tenant) ?? [] }, of: tenant)
    }

    /// Waits until everything noted is written.
    package func finish() async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if !state.noted.isEmpty { state.finishing.append(continuation) }
                return state.noted.isEmpty
            }
            if isDone { continuation.resume() }
        }
    }

    /// The same, and starts nothing more.
    package func stop() async {
        await finish()
        await queue.stop()
    }

    private func extend(_ tenant: Tenant) async {
        while let uses = take(of: tenant) {
            await worker.work(at: tenant) { error in
                state.withLock { $0.pausedUntil[tenant] = worker.now + Self.pause }
                failed(tenant, error)
            } _: { store in
                let extend = ExtendSessions(uses)
                let sessions = try await store.commit(extend.reading, decide: extend.decide)
                worker.runner.memory(of: tenant).renew(sessions)
            }
            end(uses, of: tenant)
        }
    }

    private func take(of tenant: Tenant) -> [SessionUse]? {
        state.withLock { state in
            guard let uses = state.waiting[tenant]?.prefix(ExtendSessions.most), !uses.isEmpty else {
                state.waiting[tenant] = nil
                return nil
            }
            state.waiting[tenant]?.removeFirst(uses.count)
            return Array(uses)
        }
    }

    private func end(_ uses: [SessionUse], of tenant: Tenant) {
        let finished = state.withLock { state in
            for use in uses { state.noted.remove(Place(tenant: tenant, session: use.session.id)) }
            guard state.noted.isEmpty else { return [CheckedContinuation<Void, Never>]() }
            defer { state.finishing = [] }
            return state.finishing
        }
        for continuation in finished { continuation.resume() }
    }
}
