package import NephosStorage
import Synchronization

/// What somebody who listens is told (``NewsWatch/listen(to:of:letIn:_:)``).
package enum News: Sendable, Equatable {
    /// Topics were posted since this was told last, or were perhaps: each with its number now.
    case posted([Topic: Int64])
    /// The catalog is of another version than the listener knows, or its session may have ended: credentials may have been taken
    /// back. nil where the tenant is gone or cannot be read. Told again until the listener knows it, or ends (``Listening/knows(_:)``).
    case catalog(Int64?)
    /// The store could not be asked. What is posted meanwhile is told later.
    case unknown
}

/// Wakes who waits on this server when a topic is posted: at once where this process has posted it, else by a look at the store which
/// comes four times a second as long as somebody listens (docs/decisions/0031).
package final class NewsWatch: Sendable {
    /// How long after a post it is told at the latest, but for the time that the look takes.
    package static let interval = Duration.milliseconds(250)

    private let worker: Worker
    private let failed: @Sendable (any Error) -> Void
    private let state = Mutex(NewsListeners())
    private let hearing = Atomic<Bool>(false)

    /// - Parameter failed: Told what a look failed with.
    package init(_ worker: Worker, failed: @escaping @Sendable (any Error) -> Void = { _ in }) {
        self.worker = worker
        self.failed = failed
    }

    /// Has `wake` called with news from now on: who reads a topic after this misses none of its posts. Perhaps it is called though there is
    /// nothing new.
    ///
    /// - Parameters:
    ///   - letIn: By what the listener was let in; nil for who does not care.
    ///   - wake: Called on any thread, one call at a time or several; it must not wait.
    /// - Returns: What ends it. It ends by itself when nobody keeps this.
    package func listen(
        to topics: Set<Topic>, of tenant: Tenant, letIn: LetIn? = nil,
        _ wake: @escaping @Sendable (News) -> Void
    ) -> Listening {
        if !hearing.exchange(true, ordering: .relaxed) { worker.engine.listen { [weak self] in self?.hear($0) } }
        let number = state.withLock { $0.add(NewsListeners.Listener(topics, letIn, wake), of: tenant) }
        return Listening(self, tenant, number)
    }

    /// How many listen.
    package var listeners: Int { state.withLock { $0.count } }

    fileprivate func end(_ listening: Listening) {
        // A closure's end may run anything.
        _ = state.withLock { $0.remove(listening.number, of: listening.tenant) }
    }

    fileprivate func note(_ letIn: LetIn, _ listening: Listening) {
        state.withLock { $0.note(letIn, listening.number, of: listening.tenant) }
    }

    /// Looks until the task is cancelled.
    package func run() async {
        while (try? await Task.sleep(for: Self.interval)) != nil { await look() }
    }

    /// Looks once at all that somebody listens to, and wakes those for whom there is something.
    package func look() async {
        let topics = state.withLock { $0.topics }
        guard !topics.isEmpty else { return }
        var found: [Tenant: TenantNews]?
        var ended: [Tenant: EndedSessions] = [:]
        await worker.attempt(failed: failed) {
            let news = try await worker.run { [worker] in try worker.engine.news(of: topics) }
            found = news
            ended = try await worker.endedSessions(news, for: state.withLock { $0.letIn })
        }
        let tellings = state.withLock { [found, ended] state in
            found.map { state.take($0, lookedAt: topics, ended: ended) } ?? state.tellAll(.unknown)
        }
        for (wake, news) in tellings { wake(news) }
    }

    private func hear(_ news: StorageNews) {
        guard case .posted(let tenant, let numbers) = news else { return }
        for (wake, news) in state.withLock({ $0.take(numbers, of: tenant) }) { wake(news) }
    }
}

/// That somebody listens.
package final class Listening: Sendable {
    private let watch: NewsWatch
    fileprivate let tenant: Tenant
    fileprivate let number: Int

    fileprivate init(_ watch: NewsWatch, _ tenant: Tenant, _ number: Int) {
        (self.watch, self.tenant, self.number) = (watch, tenant, number)
    }

    deinit { watch.end(self) }

    /// The listener's credentials were judged anew, and are good.
    package func knows(_ letIn: LetIn) { watch.note(letIn, self) }

    /// Ends it. Calls that are under way may still come.
    package func cancel() { watch.end(self) }
}
