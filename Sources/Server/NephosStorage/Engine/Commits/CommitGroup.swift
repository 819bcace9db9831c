import Dispatch

extension CommitQueue {
    /// The outcome of a group's transaction.
    private enum Fate {
        /// It was committed, or had nothing to commit.
        case finished
        /// It was certainly not committed.
        case lost((any Error)?, mayBeRepeated: Bool)
        /// The connection was lost during the commit, or the commit itself failed: the outcome is not known.
        case unknown(StorageError)
    }

    /// Runs waiting items of a line in one transaction, at least one and as many as the limits of a group allow, and
    /// makes them durable. Items that are added meanwhile may still take part.
    ///
    /// - Returns: The outcomes of the items that took part, in order. The other items stay in the line.
    func runGroup(_ line: CommitLine, _ first: Item) -> [End] {
        var ends: [End] = []
        var wanted: [DatabaseNumber] = []
        var headIsHeld = false
        var fate = Fate.finished
        do throws(StorageError) {
            try first.place.withSession { session throws(StorageError) in
                var total = CommitReport()
                wanted = attempt(first, line, in: session, &ends, &total)
                headIsHeld = session.headsAreHeld
                fate = finish(session, total)
            }
        } catch {
            return failAll(line, error)
        }
        if headIsHeld { return failAll(line, .busy) }
        if ends.isEmpty { return [(first, run(single: first, locking: wanted))] }
        switch fate {
        case .finished: return ends
        case .unknown(let error):
            // An item that was refused before anything was written saw only committed data, and fails with its own
            // error. All others fail with the commit's error: they wrote, or saw data that may never be committed.
            let firstWrite = ends.firstIndex { $0.failure == nil } ?? ends.endIndex
            return ends.enumerated().map { ($1.item, $0 < firstWrite ? $1.failure : error) }
        case .lost(let error, let mayBeRepeated):
            guard ends.count == 1, !mayBeRepeated, let failure = ends[0].failure ?? error else { return again(ends) }
            return [(first, failure)]
        }
    }

    /// Fails the waiting items of a line, at most as many as one group may have: all of them would fail in the same
    /// way.
    private func failAll(_ line: CommitLine, _ error: StorageError) -> [End] { firstItems(line).map { ($0, error) } }

    /// Runs the items of a lost transaction again, one by one, including those that were refused, because what they saw
    /// of each other is no longer valid. After an item timed out waiting for a lock, the following items fail
    /// immediately.
    private func again(_ ends: [End]) -> [End] {
        var isHeld = false
        return ends.map { end in
            if isHeld { return (end.item, StorageError.busy) }
            let failure = run(single: end.item)
            isHeld = failure as? StorageError == .busy
            return (end.item, failure)
        }
    }

    /// Commits the transaction of a group, if any item succeeded.
    ///
    /// - Parameter total: The rows that the successful items touched.
    private func finish(_ session: any CommitSession, _ total: CommitReport) -> Fate {
        if session.isBroken { return .lost(nil, mayBeRepeated: session.mayBeRepeated) }
        guard total.commits > 0 else { return .finished }
        do throws(StorageError) {
            try session.commit()
        } catch {
            return session.isOfUnknownFate
                ? .unknown(error) : .lost(error, mayBeRepeated: session.mayBeRepeated)
        }
        count(total)
        return .finished
    }

    /// Runs the items of a group up to its limits.
    ///
    /// - Returns: The heads that the first item must lock in its own transaction, if it did not take part.
    private func attempt(
        _ first: Item, _ line: CommitLine, in session: any CommitSession, _ ends: inout [End],
        _ total: inout CommitReport
    ) -> [DatabaseNumber] {
        let deadline = DispatchTime.now() + groupTime
        var bytes = 0
        var following: Item? = first
        while let item = following {
            do {
                switch try item.commit.attempt(in: session, isFirst: ends.isEmpty, locking: []) {
                case .done(let more, let report):
                    bytes += more
                    total += report
                    ends.append((item, nil))
                case .filled(let report):
                    total += report
                    ends.append((item, nil))
                    return []
                case .wantsToBeFirst: return []
                case .needsOwnTransaction(let locking): return locking
                }
            } catch {
                ends.append((item, error))
            }
            if session.isBroken || ends.count == groupItems || bytes >= groupBytes || DispatchTime.now() >= deadline {
                break
            }
            following = self.item(line, after: ends.count)
        }
        return []
    }

    // MARK: Single items

    /// Runs an item in transactions of its own until one is committed or fails permanently.
    ///
    /// The item is run again if it needs more locks, if it conflicted with another transaction, and if the connection
    /// was lost before the commit was sent; in the latter two cases at most 5 attempts are made.
    ///
    /// - Returns: The error of the last attempt; nil if the item was committed.
    func run(single item: Item, locking: [DatabaseNumber] = []) -> (any Error)? {
        var locking = locking
        var failures = 0
        while true {
            var mayRepeat = false
            do {
                var done = Result<Attempt, any Error>.success(.wantsToBeFirst)
                try item.place.withSession { session throws(StorageError) in
                    defer { mayRepeat = session.mayBeRepeated }
                    done = attempt(item, in: session, locking)
                }
                switch try done.get() {
                case .wantsToBeFirst: return StorageError.failed("a commit that runs alone asked to run first")
                case .needsOwnTransaction(let more): locking = more
                case .done(_, let report), .filled(let report):
                    count(report)
                    return nil
                }
            } catch {
                failures += 1
                guard mayRepeat, failures < attemptsMax else { return error }
            }
        }
    }

    /// Runs the item once, and commits it unless it must first lock more.
    private func attempt(
        _ item: Item, in session: any CommitSession, _ locking: [DatabaseNumber]
    ) -> Result<Attempt, any Error> {
        Result {
            let done = try item.commit.attempt(in: session, isFirst: true, locking: locking)
            switch done {
            case .done, .filled: try session.commit()
            case .wantsToBeFirst, .needsOwnTransaction: break
            }
            return done
        }
    }
}

/// A group is closed once it has written this many bytes.
private let groupBytes = 4 << 20
/// The maximum number of attempts of an item that conflicts with other transactions.
private let attemptsMax = 5
