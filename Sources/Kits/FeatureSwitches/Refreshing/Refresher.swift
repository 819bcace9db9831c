import Foundation
import NephosTransport

/// Asks the provider: at the start, when it is due, when something is told, and when somebody wants it; one request at a time.
final class Refresher: Sendable {
    private struct State {
        var isStarted = false
        var running: Task<RefreshOutcome, Never>?
        /// Behind the one that runs, for whoever came after that had begun.
        var following: Task<RefreshOutcome, Never>?
        /// Waits for the next one.
        var timer: Task<Void, Never>?
        /// Follows what is told, and where from.
        var stream: (address: URL?, task: Task<Void, Never>)?
    }

    /// How often somebody may become another while one asks for them.
    private static let attemptsMax = 3

    private let provider: any FlagProvider
    private let store: SwitchesStore
    private let plan: RefreshPlan
    private let clock: SwitchesClock
    private let state = Locked(State())

    init(_ provider: any FlagProvider, _ store: SwitchesStore, _ plan: RefreshPlan, _ clock: SwitchesClock) {
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

    /// Asks, after what is under way: that may have been answered before what the caller knows of happened.
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
                let (question, generation) = store.question()
                let fetch = try await provider.fetch(question)
                if let outcome = store.take(fetch, generation, now: clock.now()) { return outcome }
            }
            throw FlagFault(.cancelled, "it became known again and again for whom flags are asked")
        } catch {
            store.fail(error, now: clock.now())
            return .failed(error)
        }
    }

    // MARK: What comes next

    /// Sets the time of the next refresh, and follows the stream that was named.
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
        if let values = store.values { followStream(of: values) }
    }

    private func followStream(of values: FlagValues) {
        state.withLock { state in
            guard state.isStarted else { return }
            if let stream = state.stream, stream.address == values.stream { return }
            state.stream?.task.cancel()
            state.stream = (values.stream, Task { [weak self] in await self?.follow(values) })
        }
    }

    /// Asks whenever something is told, and comes again where the stream ends.
    private func follow(_ values: FlagValues) async {
        var ends = 0
        while !Task.isCancelled, let news = provider.news(after: values) {
            var fault: FlagFault?
            do {
                for try await item in news {
                    if ends > 0 || !store.status.isStreaming { store.set(isStreaming: true) }
                    ends = 0
                    if let tag = item.tag, tag.isTag(store.values?.tag) { continue }
                    await refresh()
                }
            } catch {
                fault = error as? FlagFault ?? FlagFault(.unreachable, "\(error)")
            }
            if Task.isCancelled { return }
            ends += 1
            store.set(isStreaming: false, fault: fault)
            // It may be somewhere else now: the next answer is to name it.
            if fault?.kind == .refused { store.forgetTag() }
            let delay = plan.delay(failures: ends, retryAfter: fault?.retryAfter, chance: clock.chance())
            guard (try? await clock.pause(delay)) != nil else { return }
        }
    }
}

extension String {
    /// Whether both name the same values, with the signs of a header or without.
    fileprivate func isTag(_ other: String?) -> Bool {
        func bare(_ tag: String) -> Substring {
            var tag = tag[...]
            if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
            return tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.count > 1 ? tag.dropFirst().dropLast() : tag
        }
        return other.map { bare($0) == bare(self) } ?? false
    }
}
