import Dispatch
import NephosStorage
import Synchronization

/// The writers of one tenant, in order of arrival, many of them in one transaction.
///
/// While one group is being made durable the next gathers behind it, so that the price of the disk is shared by
/// all who wait. One drain runs at a time, on a serial queue of its own.
final class CommitQueue: Sendable {
    private struct Waiting {
        var items: [any PendingCommit] = []
        /// Items that have no answer yet, those of the group under way included.
        var unanswered = 0
        var isDraining = false
        var isClosed = false
    }

    private let waiting = Mutex(Waiting())
    private let limit: Int
    private let session: WriteSession
    private let queue: DispatchQueue
    /// Transactions that were committed, for tests and reports.
    let commits = Atomic<Int>(0)

    init(_ session: WriteSession, limit: Int, label: String) {
        self.session = session
        self.limit = limit
        queue = DispatchQueue(label: label)
    }

    /// Puts an item behind all others, or fails it at once: ``StorageError/busy``, ``StorageError/closed``.
    func add(_ item: any PendingCommit) {
        let (refusal, mustDrain) = waiting.withLock { waiting -> (StorageError?, Bool) in
            if waiting.isClosed { return (.closed, false) }
            if waiting.unanswered >= limit { return (.busy, false) }
            waiting.items.append(item)
            waiting.unanswered += 1
            defer { waiting.isDraining = true }
            return (nil, !waiting.isDraining)
        }
        if let refusal { return item.fail(refusal) }
        if mustDrain { queue.async { self.drain() } }
    }

    /// Takes no more items and returns when all that wait have their answers. Not for the queue's own thread.
    func close() {
        waiting.withLock { $0.isClosed = true }
        queue.sync {}
    }

    private func drain() {
        while let items = takeWaiting() {
            var next = 0
            while next < items.count {
                let answered = runGroup(items[next...].prefix(groupItems))
                next += answered
                waiting.withLock { $0.unanswered -= answered }
            }
        }
    }

    private func takeWaiting() -> [any PendingCommit]? {
        waiting.withLock { waiting in
            guard !waiting.items.isEmpty else {
                waiting.isDraining = false
                return nil
            }
            defer { waiting.items = [] }
            return waiting.items
        }
    }

    // MARK: Groups

    /// Runs as many of `items` in one transaction as its limits allow, at least one, and answers them.
    ///
    /// - Returns: How many were answered.
    private func runGroup(_ items: ArraySlice<any PendingCommit>) -> Int {
        do { try session.begin() } catch {
            for item in items { item.fail(error) }
            return items.count
        }
        var failures: [(any Error)?] = []
        let deadline = DispatchTime.now() + groupTime
        var bytes = 0
        group: for item in items {
            do {
                switch try item.attempt(in: session, isFirst: failures.isEmpty) {
                case .done(let more):
                    bytes += more
                    failures.append(nil)
                case .filled:
                    failures.append(nil)
                    break group
                case .wantsToBeFirst: break group
                }
            } catch {
                failures.append(error)
                if session.connection.transactionIsBroken { break group }
            }
            if bytes >= groupBytes || DispatchTime.now() >= deadline { break group }
        }
        end(items.prefix(failures.count), failures)
        return failures.count
    }

    /// Makes a group durable and answers it; one whose transaction is lost is run again, item by item.
    private func end(_ items: ArraySlice<any PendingCommit>, _ failures: [(any Error)?]) {
        if !session.connection.transactionIsBroken {
            do {
                try session.commit()
                commits.add(1, ordering: .relaxed)
                return answer(items, failures)
            } catch {
                session.rollback()
                if items.count == 1 { return answer(items, [failures[0] ?? error]) }
            }
        } else {
            session.rollback()
            if items.count == 1 { return answer(items, failures) }
        }
        for item in items { runAlone(item) }
    }

    private func answer(_ items: ArraySlice<any PendingCommit>, _ failures: [(any Error)?]) {
        for (item, failure) in zip(items, failures) {
            if let failure { item.fail(failure) } else { item.succeed() }
        }
    }

    private func runAlone(_ item: any PendingCommit) {
        do {
            try session.begin()
            _ = try item.attempt(in: session, isFirst: true)
            try session.commit()
            commits.add(1, ordering: .relaxed)
        } catch {
            session.rollback()
            return item.fail(error)
        }
        item.succeed()
    }
}

/// A group closes when one of these is reached.
private let groupItems = 64
private let groupBytes = 4 << 20
private let groupTime = DispatchTimeInterval.milliseconds(5)
