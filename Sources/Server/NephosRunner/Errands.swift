import Synchronization

/// A key-coalescing work queue: each key has at most one errand at a time, and one more if it was requested meanwhile.
package final class Errands<Place: Hashable & Sendable>: Sendable {
    /// Does all pending work of a key. The errand requested last runs, so all errands of a key should do the same.
    package typealias Errand = @Sendable (Place) async -> Void

    private enum Stage {
        case waiting(Errand), running, runningAndWanted(Errand)
    }

    private struct State {
        var stages: [Place: Stage] = [:]
        /// In the order of the requests, from `next` on.
        var queue: [Place] = []
        var next = 0
        var workers = AtWork()
        var isStopped = false

        mutating func push(_ place: Place, _ errand: @escaping Errand) {
            stages[place] = .waiting(errand)
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

    /// - Parameter limit: The maximum number of keys at a time.
    package init(limit: Int = .max) { self.limit = limit }

    /// Requests that all pending work of a key be done. Never blocks.
    ///
    /// - Returns: False if the queue was stopped; nothing is done then, and neither is work that is still waiting.
    @discardableResult
    package func ask(_ place: Place, _ errand: @escaping Errand) -> Bool {
        let mustWork = state.withLock { state -> Bool? in
            guard !state.isStopped else { return nil }
            switch state.stages[place] {
            case .waiting: return false
            case .running, .runningAndWanted:
                state.stages[place] = .runningAndWanted(errand)
                return false
            case nil: state.push(place, errand)
            }
            guard state.workers.count < limit else { return false }
            state.workers.begin()
            return true
        }
        if mustWork == true { Task { await work() } }
        return mustWork != nil
    }

    /// Long errands check this between two steps.
    package var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Starts nothing more, and waits for running errands.
    package func stop() async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                state.isStopped = true
                state.workers.resumeAtEnd(continuation)
            }
        }
    }

    private func work() async {
        while let (place, errand) = begin() {
            await errand(place)
            end(place)
        }
    }

    /// The next key. If there is none, the worker ends.
    private func begin() -> (Place, Errand)? {
        state.withLock { state in
            if let place = state.pop(), case .waiting(let errand) = state.stages[place] {
                state.stages[place] = .running
                return (place, errand)
            }
            state.workers.end()
            return nil
        }
    }

    private func end(_ place: Place) {
        state.withLock { state in
            if case .runningAndWanted(let errand) = state.stages[place], !state.isStopped {
                state.push(place, errand)
            } else {
                state.stages[place] = nil
            }
        }
    }
}
