import Synchronization

/// Runs errands in the background: each place has one at a time, and once more when it was asked for meanwhile.
package final class Errands<Place: Hashable & Sendable>: Sendable {
    private struct State {
        var waiting: [Place] = []
        var known: Set<Place> = []
        /// Asked for again while it ran.
        var again: Set<Place> = []
        var running = 0
        var isStopped = false
        var ended: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let limit: Int
    private let run: @Sendable (Place) async -> Void

    /// - Parameters:
    ///   - limit: Most places at a time.
    ///   - run: Does everything that there is to do at a place.
    package init(limit: Int, run: @escaping @Sendable (Place) async -> Void) {
        self.limit = limit
        self.run = run
    }

    /// Has everything done at a place that there is by now. Never waits.
    package func ask(_ place: Place) {
        let mustRun = state.withLock { state in
            if state.isStopped { return false }
            guard state.known.insert(place).inserted else {
                if !state.waiting.contains(place) { state.again.insert(place) }
                return false
            }
            state.waiting.append(place)
            guard state.running < limit else { return false }
            state.running += 1
            return true
        }
        if mustRun { Task { await work() } }
    }

    /// Begins nothing more, and waits for what runs.
    package func stop() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                state.isStopped = true
                state.waiting = []
                if state.running > 0 { state.ended.append(continuation) }
                return state.running == 0
            }
            if isOver { continuation.resume() }
        }
    }

    private func work() async {
        while let place = next() {
            await run(place)
            done(place)
        }
    }

    private func next() -> Place? {
        let (place, ended) = state.withLock { state -> (Place?, [CheckedContinuation<Void, Never>]) in
            guard state.waiting.isEmpty else { return (state.waiting.removeFirst(), []) }
            state.running -= 1
            guard state.isStopped, state.running == 0 else { return (nil, []) }
            defer { state.ended = [] }
            return (nil, state.ended)
        }
        for continuation in ended { continuation.resume() }
        return place
    }

    private func done(_ place: Place) {
        state.withLock { state in
            if state.again.remove(place) != nil, !state.isStopped {
                state.waiting.append(place)
            } else {
                state.known.remove(place)
            }
        }
    }
}
