package import Dispatch
package import Synchronization

/// The queue of writes: items of one line run in order of arrival, many of them in one transaction.
///
/// While one group is being made durable, further items gather for the next group, so that all of them share the cost
/// of the disk. Groups of different lines run in parallel.
package final class CommitQueue: Sendable {
    struct Item {
        let commit: any PendingCommit
        let place: any CommitPlace
    }

    /// The outcome of an item: an error, or nil for success.
    typealias End = (item: Item, failure: (any Error)?)

    /// A unit of work for one worker.
    private enum Job {
        /// One group of the waiting items of a line.
        case line(CommitLine, first: Item)
        case single(Item)
    }

    private struct State {
        /// The items of each line, in order of arrival. Items stay until their transaction has ended. Each line in this
        /// dictionary has a job, which is waiting or running.
        var lines: [CommitLine: [Item]] = [:]
        var jobs: [Job] = []
        var next = 0
        var workers = 0
        var waiting = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let workersMax: Int
    private let limit: Int
    private let committed: @Sendable (CommitReport) -> Void
    /// After this time a group accepts no more items.
    let groupTime: DispatchTimeInterval
    /// The default time in milliseconds, which servers use.
    package static let groupMilliseconds = 5
    private let queue: DispatchQueue
    private let running = DispatchGroup()
    /// The number of committed transactions, for tests.
    package let transactions = Atomic<Int>(0)

    /// - Parameters:
    ///   - workers: Maximum number of concurrent transactions.
    ///   - limit: Maximum number of waiting items.
    ///   - groupMilliseconds: The time after which a group accepts no more items into its transaction.
    ///   - committed: Called after each committed transaction.
    package init(
        workers: Int, limit: Int, label: String, groupMilliseconds: Int = groupMilliseconds,
        committed: @escaping @Sendable (CommitReport) -> Void = { _ in }
    ) {
        groupTime = .milliseconds(groupMilliseconds)
        workersMax = max(workers, 1)
        self.limit = limit
        self.committed = committed
        queue = DispatchQueue(label: label, attributes: .concurrent)
    }

    /// Appends an item to its line, or fails it immediately with ``StorageError/busy`` if too many items are waiting,
    /// or ``StorageError/closed``.
    package func add(_ commit: any PendingCommit, to place: any CommitPlace) {
        let item = Item(commit: commit, place: place)
        let line = place.line(of: commit.databases)
        let (refusal, mustWork) = state.withLock { state -> (StorageError?, Bool) in
            if state.isClosed { return (.closed, false) }
            if state.waiting >= limit { return (.busy, false) }
            state.waiting += 1
            if let line {
                if let place = state.lines.index(forKey: line) {
                    state.lines.values[place].append(item)
                    return (nil, false)
                }
                state.lines[line] = [item]
                state.jobs.append(.line(line, first: item))
            } else {
                state.jobs.append(.single(item))
            }
            guard state.workers < workersMax else { return (nil, false) }
            state.workers += 1
            running.enter()
            return (nil, true)
        }
        if let refusal { return commit.fail(refusal) }
        if mustWork { queue.async { self.work() } }
    }

    /// The number of items that are not completed yet, for tests.
    package var waitingCount: Int { state.withLock { $0.waiting } }

    /// Accepts no more items, and blocks until all waiting items are completed. Must not be called in completions.
    ///
    /// - Parameter patience: The maximum time to block.
    package func close(patience: DispatchTimeInterval = .never) {
        state.withLock { $0.isClosed = true }
        _ = running.wait(timeout: .now() + patience)
    }

    // MARK: Workers

    private func work() {
        while let job = nextJob() {
            switch job {
            case .single(let item): end([(item, run(single: item))])
            case .line(let line, let first):
                let ends = runGroup(line, first)
                removeFirst(ends.count, of: line)
                end(ends)
            }
        }
        running.leave()
    }

    /// Removes the items that took part in a group from their line, and adds a job for the remaining items.
    private func removeFirst(_ count: Int, of line: CommitLine) {
        state.withLock { state in
            guard let place = state.lines.index(forKey: line) else { return }
            state.lines.values[place].removeFirst(count)
            if let next = state.lines.values[place].first {
                state.jobs.append(.line(line, first: next))
            } else {
                state.lines.remove(at: place)
            }
        }
    }

    /// Returns the next job; nil if there is none, so that the worker ends.
    private func nextJob() -> Job? {
        state.withLock { state in
            guard state.next < state.jobs.count else {
                state.jobs.removeAll(keepingCapacity: true)
                state.next = 0
                state.workers -= 1
                return nil
            }
            defer {
                state.next += 1
                if state.next == 1_024 {
                    state.jobs.removeFirst(state.next)
                    state.next = 0
                }
            }
            return state.jobs[state.next]
        }
    }

    private func end(_ ends: [End]) {
        state.withLock { $0.waiting -= ends.count }
        for (item, failure) in ends {
            if let failure { item.commit.fail(failure) } else { item.commit.succeed() }
        }
    }

    func item(_ line: CommitLine, after count: Int) -> Item? {
        state.withLock { state in
            guard let items = state.lines[line], items.count > count else { return nil }
            return items[count]
        }
    }

    /// Returns the first waiting items of a line, at most as many as one group may have.
    func firstItems(_ line: CommitLine) -> ArraySlice<Item> {
        state.withLock { state in (state.lines[line] ?? []).prefix(groupItems) }
    }

    func count(_ report: CommitReport) {
        transactions.add(1, ordering: .relaxed)
        committed(report)
    }
}

/// A group is closed when it has this many items.
let groupItems = 64
