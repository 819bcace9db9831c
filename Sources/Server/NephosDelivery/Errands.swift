import Synchronization

/// Runs errands in the background: each place has one at a time, and once more when it was asked for meanwhile.
package final class Errands<Place: Hashable & Sendable>: Sendable {
    private enum Stage { case waiting, running, runningAndWanted }

    private struct State {
        var stages: [Place: Stage] = [:]
        /// In the order in which they were asked for, from `next` on.
        var queue: [Place] = []
        var next = 0
        var workers = 0
        var isStopped = false
        var ended: [CheckedContinuation<Void, Never>] = []

        mutating func push(_ place: Place) {
            stages[place] = .waiting
            queue.append(place)
        }

        mutating func pop() -> Place? {
            guard !isStopped, next < queue.count else {
                (queue, next) = ([], 0)
                return nil
            }
            defer {
                next += 1
                if next == 1_024 {
                    queue.removeFirst(next)
                    next = 0
                }
            }
            return queue[next]
        }
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
        let mustWork = state.withLock { state in
            guard !state.isStopped else { return false }
            switch state.stages[place] {
            case .waiting, .runningAndWanted: return false
            case .running:
                state.stages[place] = .runningAndWanted
                return false
            case nil: state.push(place)
            }
            guard state.workers < limit else { return false }
            state.workers += 1
            return true
        }
        if mustWork { Task { await work() } }
    }

    /// Whoever runs long looks at it between two steps.
    package var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Begins nothing more, and waits for what runs.
    package func stop() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                state.isStopped = true
                if state.workers > 0 { state.ended.append(continuation) }
                return state.workers == 0
            }
            if isOver { continuation.resume() }
        }
    }

    private func work() async {
        while let place = begin() {
            await run(place)
            end(place)
        }
    }

    /// The next place. Without one, the worker ends.
    private func begin() -> Place? {
        let (place, ended) = state.withLock { state -> (Place?, [CheckedContinuation<Void, Never>]) in
            if let place = state.pop() {
                state.stages[place] = .running
                return (place, [])
            }
            state.workers -= 1
            guard state.workers == 0 else { return (nil, []) }
            defer { state.ended = [] }
            return (nil, state.ended)
        }
        for continuation in ended { continuation.resume() }
        return place
    }

    private func end(_ place: Place) {
        state.withLock { state in
            if state.stages[place] == .runningAndWanted, !state.isStopped {
                state.push(place)
            } else {
                state.stages[place] = nil
            }
        }
    }
}
