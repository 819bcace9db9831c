import Synchronization

/// A key-coalescing work queue: each key has at most one item of work at a time, and one more if it was requested meanwhile.
package final class CoalescingWorkQueue<Key: Hashable & Sendable>: Sendable {
    /// Does all pending work of a key. The item requested last runs, so all items of a key should do the same.
    package typealias WorkItem = @Sendable (Key) async -> Void

    private enum Stage {
        case waiting(WorkItem), running, runningAndWanted(WorkItem)
    }

    private struct State {
        var stages: [Key: Stage] = [:]
        /// In the order of the requests, from `next` on.
        var queue: [Key] = []
        var next = 0
        var workers = ActiveWorkers()
        var isStopped = false

        mutating func push(_ key: Key, _ item: @escaping WorkItem) {
            stages[key] = .waiting(item)
            queue.append(key)
        }

        mutating func pop() -> Key? {
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
    package func submit(_ key: Key, _ item: @escaping WorkItem) -> Bool {
        let mustWork = state.withLock { state -> Bool? in
            guard !state.isStopped else { return nil }
            switch state.stages[key] {
            case .waiting: return false
            case .running, .runningAndWanted:
                state.stages[key] = .runningAndWanted(item)
                return false
            case nil: state.push(key, item)
            }
            guard state.workers.count < limit else { return false }
            state.workers.begin()
            return true
        }
        if mustWork == true { Task { await work() } }
        return mustWork != nil
    }

    /// Long items check this between two steps.
    package var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Starts nothing more, and waits for running items.
    package func stop() async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                state.isStopped = true
                state.workers.resumeAtEnd(continuation)
            }
        }
    }

    private func work() async {
        while let (key, item) = begin() {
            await item(key)
            end(key)
        }
    }

    /// The next key. If there is none, the worker ends.
    private func begin() -> (Key, WorkItem)? {
        state.withLock { state in
            if let key = state.pop(), case .waiting(let item) = state.stages[key] {
                state.stages[key] = .running
                return (key, item)
            }
            state.workers.end()
            return nil
        }
    }

    private func end(_ key: Key) {
        state.withLock { state in
            if case .runningAndWanted(let item) = state.stages[key], !state.isStopped {
                state.push(key, item)
            } else {
                state.stages[key] = nil
            }
        }
    }
}
