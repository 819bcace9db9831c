import Dispatch
import NephosStorage
import Synchronization

/// The writers of one tenant, in order of arrival, many of them in one transaction.
///
/// While one group is being made durable the next gathers behind it, so that the price of the disk is shared by
/// all who wait. One drain runs at a time, on a serial queue of its own.
final class CommitQueue: Sendable {
    private struct Waiting {
        /// In order of arrival. Items stay until their transaction is over.
        var items: [any PendingCommit] = []
        var isDraining = false
        var isClosed = false
    }

    private let waiting = Mutex(Waiting())
    private let limit: Int
    private let session: WriteSession
    private let queue: DispatchQueue
    private let committed: @Sendable (CommitReport) -> Void
    /// Transactions that were committed, for tests.
    let transactions = Atomic<Int>(0)

    /// - Parameter committed: Told of each transaction that was committed.
    init(
        _ session: WriteSession, limit: Int, label: String,
        committed: @escaping @Sendable (CommitReport) -> Void = { _ in }
    ) {
        self.committed = committed
        self.session = session
        self.limit = limit
        queue = DispatchQueue(label: label)
    }

    /// Puts an item behind all others, or fails it at once: ``StorageError/busy``, ``StorageError/closed``.
    func add(_ item: any PendingCommit) {
        let (refusal, mustDrain) = waiting.withLock { waiting -> (StorageError?, Bool) in
            if waiting.isClosed { return (.closed, false) }
            if waiting.items.count >= limit { return (.busy, false) }
            waiting.items.append(item)
            defer { waiting.isDraining = true }
            return (nil, !waiting.isDraining)
        }
        if let refusal { return item.fail(refusal) }
        if mustDrain { queue.async { self.drain() } }
    }

    /// Takes no more items, and closes the connection when all that wait have their answers. Not for completions,
    /// which run on the queue that this waits for.
    func close() {
        waiting.withLock { $0.isClosed = true }
        queue.sync { session.connection.close() }
    }

    private func drain() {
        while let first = next(after: 0) {
            let ends = runGroup(first)
            waiting.withLock { $0.items.removeFirst(ends.count) }
            for (item, failure) in ends {
                if let failure { item.fail(failure) } else { item.succeed() }
            }
        }
    }

    /// The item behind the first `taken` of those that wait. No item at all ends the drain.
    private func next(after taken: Int) -> (any PendingCommit)? {
        waiting.withLock { waiting in
            waiting.isDraining = !waiting.items.isEmpty
            return waiting.items.count > taken ? waiting.items[taken] : nil
        }
    }

    // MARK: Groups

    /// How an item ended: with an error, or well.
    private typealias End = (item: any PendingCommit, failure: (any Error)?)

    /// Runs as many of those who wait in one transaction as its limits allow, at least one, and makes them durable.
    /// Who comes while it runs still takes part.
    ///
    /// - Returns: The items that took part, in order. The others were not begun.
    private func runGroup(_ first: any PendingCommit) -> [End] {
        do { try session.begin() } catch {
            return waiting.withLock { $0.items.prefix(groupItems).map { ($0, error) } }
        }
        var ends: [End] = []
        let deadline = DispatchTime.now() + groupTime
        var bytes = 0
        var total = CommitReport()
        var following: (any PendingCommit)? = first
        group: while let item = following {
            do {
                switch try item.attempt(in: session, isFirst: ends.isEmpty) {
                case .done(let more, let report):
                    bytes += more
                    total += report
                    ends.append((item, nil))
                case .filled(let report):
                    total += report
                    ends.append((item, nil))
                    break group
                case .wantsToBeFirst: break group
                }
            } catch {
                ends.append((item, error))
                // It took part in the transaction all the same.
                total.commits += 1
                if session.connection.transactionIsBroken { break group }
            }
            if ends.count == groupItems || bytes >= groupBytes || DispatchTime.now() >= deadline { break group }
            following = next(after: ends.count)
        }
        return end(ends, total)
    }

    /// Commits a group. One whose transaction is lost is run again, item by item: nothing that its items saw of
    /// each other counts.
    private func end(_ ends: [End], _ total: CommitReport) -> [End] {
        var ends = ends
        if !session.connection.transactionIsBroken {
            do {
                try session.commit()
                count(total)
                return ends
            } catch {
                for index in ends.indices where ends[index].failure == nil { ends[index].failure = error }
            }
        }
        session.rollback()
        return ends.count == 1 ? ends : ends.map { ($0.item, runAlone($0.item)) }
    }

    private func count(_ report: CommitReport) {
        transactions.add(1, ordering: .relaxed)
        committed(report)
    }

    private func runAlone(_ item: any PendingCommit) -> (any Error)? {
        do {
            try session.begin()
            let attempt = try item.attempt(in: session, isFirst: true)
            try session.commit()
            count(attempt.report)
            return nil
        } catch {
            session.rollback()
            return error
        }
    }
}

/// A group closes when one of these is reached.
private let groupItems = 64
private let groupBytes = 4 << 20
private let groupTime = DispatchTimeInterval.milliseconds(5)
