import Dispatch
import NephosStorage
import Synchronization

/// The writers of a process, in order of arrival for each database, many of one database in one transaction.
///
/// A database's head is locked while its commit travels to the disk. While one group is being made durable the next
/// gathers behind it, so that the price of the disk is shared by all who wait; groups of different databases run side by
/// side, each on a connection of its own.
final class CommitQueue: Sendable {
    /// A database of one tenant.
    struct Line: Hashable {
        var tenant: TenantNumber
        var database: DatabaseNumber
    }

    struct Item {
        var commit: any PendingCommit
        var store: PostgresTenantStore
    }

    /// What one worker does next.
    private enum Job {
        /// One group of those who wait in a line.
        case line(Line)
        case alone(Item)
    }

    private struct State {
        /// In order of arrival. Items stay until their transaction is over. A line that is here has its job.
        var lines: [Line: [Item]] = [:]
        var jobs: [Job] = []
        var next = 0
        var workers = 0
        var waiting = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let pool: ConnectionPool
    private let workersMax: Int
    private let limit: Int
    private let committed: @Sendable (CommitReport) -> Void
    private let queue = DispatchQueue(label: "nephos.postgres.commits", attributes: .concurrent)
    private let running = DispatchGroup()
    /// Transactions that were committed, for tests.
    let transactions = Atomic<Int>(0)

    /// - Parameters:
    ///   - workers: Most transactions at a time.
    ///   - limit: Most items that wait.
    init(_ pool: ConnectionPool, workers: Int, limit: Int, committed: @escaping @Sendable (CommitReport) -> Void) {
        self.pool = pool
        self.workersMax = max(workers, 1)
        self.limit = limit
        self.committed = committed
    }

    /// Puts an item behind all others, or fails it at once: ``StorageError/busy``, ``StorageError/closed``.
    func add(_ commit: any PendingCommit, to store: PostgresTenantStore) {
        let item = Item(commit: commit, store: store)
        let (refusal, mustWork) = state.withLock { state -> (StorageError?, Bool) in
            if state.isClosed { return (.closed, false) }
            if state.waiting >= limit { return (.busy, false) }
            state.waiting += 1
            if commit.databases.count == 1 {
                let line = Line(tenant: store.number, database: commit.databases[0])
                guard state.lines[line]?.append(item) == nil else { return (nil, false) }
                state.lines[line] = [item]
                state.jobs.append(.line(line))
            } else {
                state.jobs.append(.alone(item))
            }
            guard state.workers < workersMax else { return (nil, false) }
            state.workers += 1
            running.enter()
            return (nil, true)
        }
        if let refusal { return commit.fail(refusal) }
        if mustWork { queue.async { self.work() } }
    }

    /// Items that were not answered yet, for tests.
    var waitingCount: Int { state.withLock { $0.waiting } }

    /// Takes no more items, and returns when all that wait have their answers. Not for completions.
    ///
    /// A commit that waits for a standby may wait for ever; after 30 s this returns all the same.
    func close() {
        state.withLock { $0.isClosed = true }
        _ = running.wait(timeout: .now() + .seconds(30))
    }

    private func work() {
        while let job = nextJob() {
            switch job {
            case .alone(let item):
                end([(item, run(alone: item, locking: []))])
            case .line(let line):
                let ends = runGroup(line)
                state.withLock { state in
                    state.lines[line]?.removeFirst(ends.count)
                    if state.lines[line]?.isEmpty == false {
                        state.jobs.append(.line(line))
                    } else {
                        state.lines[line] = nil
                    }
                }
                end(ends)
            }
        }
        running.leave()
    }

    /// A worker without a job ends.
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

    /// How an item ended: with an error, or well.
    private typealias End = (item: Item, failure: (any Error)?)

    private func end(_ ends: [End]) {
        state.withLock { $0.waiting -= ends.count }
        for (item, failure) in ends {
            if let failure { item.commit.fail(failure) } else { item.commit.succeed() }
        }
    }

    private func item(_ line: Line, behind count: Int) -> Item? {
        state.withLock { state in
            guard let items = state.lines[line], items.count > count else { return nil }
            return items[count]
        }
    }

    // MARK: Groups

    /// What became of a group's transaction.
    private enum Fate {
        /// It was committed, or had nothing to commit.
        case over
        /// It is lost for certain.
        case lost
        /// The connection was lost while it was committed, or COMMIT itself failed: nobody knows.
        case unknown(StorageError)
    }

    /// Runs as many of those who wait in a line in one transaction as its limits allow, at least one, and makes them
    /// durable. Who comes while it runs still takes part.
    ///
    /// - Returns: The items that took part, in order. The others were not begun.
    private func runGroup(_ line: Line) -> [End] {
        guard let first = item(line, behind: 0) else { return [] }
        var ends: [End] = []
        var wanted: [DatabaseNumber] = []
        var headIsHeld = false
        let fate: Fate
        do throws(StorageError) {
            fate = try pool.withConnection { connection throws(StorageError) in
                let session = WriteSession(first.store, connection)
                defer { session.rollback() }
                var total = CommitReport()
                wanted = attempt(first, line, in: session, &ends, &total)
                headIsHeld = ends.count == 1 && session.metTimeout
                return finish(session, total)
            }
        } catch {
            return everybody(line, error)
        }
        if headIsHeld { return everybody(line, .busy) }
        if ends.isEmpty { return [(first, run(alone: first, locking: wanted))] }
        switch fate {
        case .over: return ends
        case .unknown(let error):
            // Who was refused before anything was written saw only what is committed; what was seen behind that may never
            // have been.
            let firstWrite = ends.firstIndex { $0.failure == nil } ?? ends.endIndex
            return ends.enumerated().map { ($1.item, $0 < firstWrite ? $1.failure : error) }
        case .lost: return again(ends)
        }
    }

    /// Nobody of those who wait in a line was begun: all would meet the same.
    private func everybody(_ line: Line, _ error: StorageError) -> [End] {
        state.withLock { state in (state.lines[line] ?? []).prefix(groupItems).map { ($0, error) } }
    }

    /// Runs the items of a lost transaction again, one by one, also those that were refused: nothing that they saw of each
    /// other counts. When one has waited in vain, those behind it need not wait as long.
    private func again(_ ends: [End]) -> [End] {
        var isHeld = false
        return ends.map { end in
            if isHeld { return (end.item, StorageError.busy) }
            let failure = run(alone: end.item, locking: [])
            isHeld = failure as? StorageError == .busy
            return (end.item, failure)
        }
    }

    /// - Parameter total: What those touched that succeeded.
    private func finish(_ session: WriteSession, _ total: CommitReport) -> Fate {
        if session.isBroken { return .lost }
        guard total.commits > 0 else { return .over }
        do throws(StorageError) {
            try session.commit()
        } catch {
            return session.isOfUnknownFate ? .unknown(error) : .lost
        }
        count(total)
        return .over
    }

    /// Runs the items of a group up to its limits.
    ///
    /// - Returns: The heads that the first item wants to lock in a transaction of its own, if it did not take part.
    private func attempt(
        _ first: Item, _ line: Line, in session: WriteSession, _ ends: inout [End], _ total: inout CommitReport
    ) -> [DatabaseNumber] {
        let deadline = DispatchTime.now() + groupTime
        var bytes = 0
        var following: Item? = first
        while let item = following {
            do {
                switch try item.commit.attempt(in: session, isAlone: false, locking: []) {
                case .done(let more, let report):
                    bytes += more
                    total += report
                    ends.append((item, nil))
                case .wantsToBeAlone(let locking): return locking
                }
            } catch {
                ends.append((item, error))
            }
            if session.isBroken || ends.count == groupItems || bytes >= groupBytes || DispatchTime.now() >= deadline {
                break
            }
            following = self.item(line, behind: ends.count)
        }
        return []
    }

    private func count(_ report: CommitReport) {
        transactions.add(1, ordering: .relaxed)
        committed(report)
    }

    // MARK: Alone

    /// Runs an item in transactions of its own until one is committed, or fails for good.
    ///
    /// It is run again when it wants other locks, when it met another transaction, and when the connection was lost before
    /// COMMIT was sent.
    private func run(alone item: Item, locking: [DatabaseNumber]) -> (any Error)? {
        var locking = locking
        var failures = 0
        while true {
            var mayRepeat = false
            do {
                let done = try pool.withConnection { connection throws(StorageError) in
                    let session = WriteSession(item.store, connection)
                    defer {
                        mayRepeat = session.mayBeRepeated
                        session.rollback()
                    }
                    return attempt(item, in: session, locking)
                }.get()
                switch done {
                case .wantsToBeAlone(let more): locking = more
                case .done(_, let report):
                    count(report)
                    return nil
                }
            } catch {
                failures += 1
                guard mayRepeat, failures < attemptsMax else { return error }
            }
        }
    }

    /// Commits what it did, unless it wants to lock more first.
    private func attempt(
        _ item: Item, in session: WriteSession, _ locking: [DatabaseNumber]
    ) -> Result<Attempt, any Error> {
        Result {
            let done = try item.commit.attempt(in: session, isAlone: true, locking: locking)
            if case .done = done { try session.commit() }
            return done
        }
    }
}

/// A group closes when one of these is reached.
private let groupItems = 64
private let groupBytes = 4 << 20
private let groupTime = DispatchTimeInterval.milliseconds(5)
/// How often an item is tried that meets other transactions.
private let attemptsMax = 5
