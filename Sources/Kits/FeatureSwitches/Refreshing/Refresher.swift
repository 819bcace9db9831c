import Foundation
import KitSupport
import NephosTransport

/// Fetches from the provider: at the start, when it is due, after an announcement, and on request; one request at a time.
final class Refresher: Sendable {
    private struct State {
        var isStarted = false
        var running: Task<RefreshOutcome, Never>?
        /// The fetch after the running one, shared by callers that arrived after that one had begun.
        var following: Task<RefreshOutcome, Never>?
        /// Waits until the next refresh is due.
        var timer: Task<Void, Never>?
        /// Follows announcements, for the context of this generation.
        var stream: (generation: Int, task: Task<Void, Never>)?
    }

    /// Maximum number of refreshes in a minute because of announcements: a stream must not make a device ask without end.
    private static let newsMax = 10
    /// Maximum number of attempts if the context changes during a fetch.
    private static let attemptsMax = 3

    private let provider: any FlagProvider
    private let store: SwitchesStore
    private let plan: RefreshPlan
    private let clock: RefreshClock
    private let state = Locked(State())

    init(_ provider: any FlagProvider, _ store: SwitchesStore, _ plan: RefreshPlan, _ clock: RefreshClock) {
        (self.provider, self.store, self.plan, self.clock) = (provider, store, plan, clock)
    }

    // MARK: Starting and stopping

    func start() {
        let isNew = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted
        }
        if isNew { Task { await refresh() } }
    }

    func stop() {
        let (timer, stream) = state.withLock { state in
            defer { (state.isStarted, state.timer, state.stream) = (false, nil, nil) }
            return (state.timer, state.stream?.task)
        }
        timer?.cancel()
        stream?.cancel()
        store.set(nextRefresh: nil)
        store.set(isStreaming: false)
    }

    // MARK: Refreshing

    /// Fetches after the running fetch has ended: its response may predate the change that the caller knows of.
    @discardableResult
    func refresh() async -> RefreshOutcome {
        let task = state.withLock { state -> Task<RefreshOutcome, Never> in
            if let following = state.following { return following }
            let before = state.running
            let task = Task {
                if let before {
                    _ = await before.value
                    self.state.withLock { ($0.running, $0.following) = ($0.following, nil) }
                }
                let outcome = await self.ask()
                self.arrange(outcome)
                self.state.withLock { if $0.following == nil { $0.running = nil } }
                return outcome
            }
            if before == nil { state.running = task } else { state.following = task }
            return task
        }
        return await task.value
    }

    private func ask() async -> RefreshOutcome {
        do throws(FlagFault) {
            for _ in 0..<Self.attemptsMax {
                let (question, generation, forgotten) = store.question()
                let fetch = try await provider.fetch(question)
                if let outcome = store.take(fetch, generation, now: clock.now()) { return outcome }
                // The caller of `forget()` decides when to fetch again.
                if store.forgotten != forgotten { return .unchanged }
            }
            throw FlagFault(.cancelled, "the context changed again and again during the fetch")
        } catch {
            store.fail(error, now: clock.now())
            return .failed(error)
        }
    }

    // MARK: Scheduling

    /// Schedules the next refresh, and follows the stream that was named.
    private func arrange(_ outcome: RefreshOutcome) {
        let delay =
            if case .failed(let fault) = outcome {
                plan.delay(
                    failures: store.status.failure?.count ?? 1, retryAfter: fault.retryAfter, chance: clock.chance())
            } else {
                plan.delay(now: clock.now(), nextChange: store.values?.nextChange, chance: clock.chance())
            }
        let isArranged = state.withLock { state in
            guard state.isStarted else { return false }
            state.timer?.cancel()
            state.timer = Task { [weak self, clock] in
                guard (try? await clock.pause(delay)) != nil else { return }
                await self?.refresh()
            }
            return true
        }
        guard isArranged else { return }
        store.set(nextRefresh: clock.now().addingTimeInterval(delay / .seconds(1)))
        followStream()
    }

    /// An open stream is kept as long as responses name one: its URL may differ in each response.
    private func followStream() {
        let generation = store.generation
        state.withLock { state in
            guard state.isStarted, state.stream?.generation != generation else { return }
            state.stream?.task.cancel()
            state.stream = (generation, Task { [weak self] in await self?.follow(generation) })
        }
    }

    /// Waits if there were too many refreshes in the last minute.
    private func admit(_ recent: inout [Date]) async throws {
        let now = clock.now()
        recent.removeAll { !(0..<60).contains(now.timeIntervalSince($0)) }
        if recent.count >= Self.newsMax {
            try await clock.pause(.seconds(60 - now.timeIntervalSince(recent.removeFirst())))
        }
        recent.append(clock.now())
    }

    /// Refreshes after each announcement, and reconnects when the stream ends, to the URL in the last response.
    private func follow(_ generation: Int) async {
        var ends = 0
        var recent: [Date] = []
        while !Task.isCancelled, let values = store.values, let news = provider.news(after: values) {
            var fault: FlagFault?
            let began = clock.now()
            do {
                for try await item in news {
                    if !store.status.isStreaming { store.set(isStreaming: true) }
                    if let tag = item.tag, tag.isTag(store.values?.tag) { continue }
                    try await admit(&recent)
                    await refresh()
                }
            } catch {
                fault = error as? FlagFault ?? FlagFault(.unreachable, "\(error)")
            }
            if Task.isCancelled { return }
            // A stream that repeatedly ends right after it was opened counts as failing.
            if clock.now().timeIntervalSince(began) > RefreshPlan.settledSeconds { ends = 0 }
            ends += 1
            store.set(isStreaming: false, fault: fault)
            // Its URL may have changed: request a full response, which names it.
            if fault?.kind == .refused, ends == 1 { store.forgetTag() }
            let delay = plan.delay(failures: ends, retryAfter: fault?.retryAfter, chance: clock.chance())
            guard (try? await clock.pause(delay)) != nil else { return }
        }
        guard !Task.isCancelled else { return }
        if store.status.isStreaming || store.status.streamFault != nil { store.set(isStreaming: false) }
        state.withLock { if $0.stream?.generation == generation { $0.stream = nil } }
    }
}

extension String {
    /// Whether both are the same entity tag, in header notation or without it.
    fileprivate func isTag(_ other: String?) -> Bool {
        func bare(_ tag: String) -> Substring {
            var tag = tag[...]
            if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
            return tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.count > 1 ? tag.dropFirst().dropLast() : tag
        }
        return other.map { bare($0) == bare(self) } ?? false
    }
}
