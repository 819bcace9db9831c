package import NephosStorage
import Synchronization

/// What a listener is notified of (``NewsWatch/listen(to:of:basis:_:)``).
package enum News: Sendable, Equatable {
    /// Topics were, or may have been, posted since the last notification: each with its current number.
    case posted([Topic: Int64])
    /// The catalog has another version than the listener knows, or its session may have ended: credentials may have been revoked. nil
    /// if the tenant is gone or cannot be read. Repeated until the listener confirms it (``Listening/knows(_:)``) or ends.
    case catalog(Int64?)
    /// The store could not be read. What is posted meanwhile is reported later.
    case unknown
}

/// Wakes listeners on this server when a topic is posted: immediately if this process has posted it, otherwise by polling the store
/// four times a second as long as there are listeners (docs/decisions/0031).
package final class NewsWatch: Sendable {
    /// The maximum delay after a post, plus the time of the poll.
    package static let interval = Duration.milliseconds(250)

    private let worker: Worker
    private let failed: @Sendable (any Error) -> Void
    private let state = Mutex(NewsListeners())
    private let hearing = Atomic<Bool>(false)

    /// - Parameter failed: Called with the error of a failed poll.
    package init(_ worker: Worker, failed: @escaping @Sendable (any Error) -> Void = { _ in }) {
        self.worker = worker
        self.failed = failed
    }

    /// Calls `wake` with news from now on: a listener that reads a topic after this call misses none of its posts. `wake` may be called
    /// although there is nothing new.
    ///
    /// - Parameters:
    ///   - basis: The basis on which the listener was admitted; nil if it does not need to know when that may end.
    ///   - wake: Called on any thread, possibly concurrently; must not block.
    /// - Returns: Ends the subscription when canceled or released.
    package func listen(
        to topics: Set<Topic>, of tenant: Tenant, basis: AdmissionBasis? = nil,
        _ wake: @escaping @Sendable (News) -> Void
    ) -> Listening {
        if !hearing.exchange(true, ordering: .relaxed) { worker.engine.listen { [weak self] in self?.receive($0) } }
        let number = state.withLock { $0.add(NewsListeners.Listener(topics, basis, wake), of: tenant) }
        return Listening(self, tenant, number)
    }

    /// The number of listeners.
    package var listeners: Int { state.withLock { $0.count } }

    fileprivate func end(_ listening: Listening) {
        // Release of a closure may run any code, so it happens outside the lock.
        _ = state.withLock { $0.remove(listening.number, of: listening.tenant) }
    }

    fileprivate func note(_ basis: AdmissionBasis, _ listening: Listening) {
        state.withLock { $0.note(basis, listening.number, of: listening.tenant) }
    }

    /// Polls until the task is cancelled.
    package func run() async {
        while (try? await Task.sleep(for: Self.interval)) != nil { await poll() }
    }

    /// Polls once for all topics that have listeners, and wakes the listeners of those that changed.
    package func poll() async {
        let topics = state.withLock { $0.topics }
        guard !topics.isEmpty else { return }
        var found: [Tenant: TenantNews]?
        var ended: [Tenant: EndedSessions] = [:]
        await worker.attempt(failed: failed) {
            let news = try await worker.run { [worker] in try worker.engine.news(of: topics) }
            found = news
            ended = try await worker.endedSessions(news, for: state.withLock { $0.basis })
        }
        let tellings = state.withLock { [found, ended] state in
            found.map { state.take($0, lookedAt: topics, ended: ended) } ?? state.notifyAll(.unknown)
        }
        for (wake, news) in tellings { wake(news) }
    }

    private func receive(_ news: StorageNews) {
        guard case .posted(let tenant, let numbers) = news else { return }
        for (wake, news) in state.withLock({ $0.take(numbers, of: tenant) }) { wake(news) }
    }
}

/// A subscription to topics.
package final class Listening: Sendable {
    private let watch: NewsWatch
    fileprivate let tenant: Tenant
    fileprivate let number: Int

    fileprivate init(_ watch: NewsWatch, _ tenant: Tenant, _ number: Int) {
        (self.watch, self.tenant, self.number) = (watch, tenant, number)
    }

    deinit { watch.end(self) }

    /// The listener's credentials were judged again, and are valid.
    package func knows(_ basis: AdmissionBasis) { watch.note(basis, self) }

    /// Ends the subscription. Calls that are already under way may still arrive.
    package func cancel() { watch.end(self) }
}
