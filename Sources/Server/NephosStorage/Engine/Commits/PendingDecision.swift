/// A decision of the domain, and its answer, which is returned after the decision is durable.
package final class PendingDecision<Answer: Sendable>: PendingCommit, @unchecked Sendable {
    /// The read set that is loaded before the decision is called.
    private let set: ReadSet
    private let decide: @Sendable (Reading) throws -> Decision<Answer>
    private let completion: @Sendable (Result<Answer, any Error>) -> Void
    private let notify: @Sendable ([StorageNews]) -> Void
    /// Accessed only by the thread that runs the item.
    private var answer: Answer?
    private var news: [StorageNews] = []

    /// - Parameter notify: Called with the news of the decision after it is durable.
    package init(
        _ set: ReadSet, _ decide: @escaping @Sendable (Reading) throws -> Decision<Answer>,
        _ completion: @escaping @Sendable (Result<Answer, any Error>) -> Void,
        notify: @escaping @Sendable ([StorageNews]) -> Void
    ) {
        self.set = set
        self.decide = decide
        self.completion = completion
        self.notify = notify
    }

    package var databases: [DatabaseNumber] { self.set.databases }

    package func attempt(in session: any CommitSession, isFirst: Bool, locking: [DatabaseNumber]) throws -> Attempt {
        var asked: [ReadSet] = []
        var reading = try session.load(set, locking: locking.isEmpty ? set.databases : set.databases + locking)
        while true {
            let outcome: Outcome
            do {
                outcome = try self.outcome(&reading, &asked, session)
            } catch let missing as MissingLocks {
                return .needsOwnTransaction(locking: locking + missing.databases)
            }
            let touchesCatalog = outcome.writes.touchesCatalog
            let endsGroup = outcome.isBig || touchesCatalog
            if endsGroup && !isFirst { return .wantsToBeFirst }
            if touchesCatalog, try !session.lockCatalog(asSeenIn: reading) {
                // The catalog changed before it was locked: what was read with it is no longer valid.
                let oversized = reading.oversized
                reading = try session.load(set.and(asked), locking: [])
                reading.oversized = oversized
                continue
            }
            try session.apply(outcome.writes, reading)
            answer = outcome.answer
            news = StorageNews.of(outcome.writes, reading.catalog.head.tenant)
            return endsGroup ? .filled(outcome.report) : .done(bytes: outcome.bytes, outcome.report)
        }
    }

    package func succeed() {
        if let answer { completion(.success(answer)) }
        notify(news)
    }

    package func fail(_ error: any Error) { completion(.failure(error)) }

    // MARK: Deciding

    /// The result of the decision.
    private struct Outcome {
        let writes: WriteSet
        let answer: Answer
        let bytes: Int
        let report: CommitReport
        /// Whether the decision gets its own transaction (``WriteSet/isBig(bytes:rows:)``).
        let isBig: Bool
    }

    /// Calls the decision until it returns a write set that is small enough for one commit.
    ///
    /// - Parameters:
    ///   - reading: What the decision sees; on return, what it saw last.
    ///   - asked: Receives the read sets that the decision requests in addition to ``set``.
    private func outcome(_ reading: inout Reading, _ asked: inout [ReadSet], _ session: any CommitSession) throws
        -> Outcome
    {
        var next = decide
        while true {
            switch try next(reading) {
            case .need(let more, let resume):
                next = resume ?? decide
                let missing = session.unlocked(more.databases)
                guard missing.isEmpty else { throw MissingLocks(databases: missing) }
                try session.load(more: more, into: &reading)
                asked.append(more)
            case .write(var writes, let answer):
                try writes.seal(by: session.keys, reading.catalog.head)
                let report = try session.report(of: writes, reading)
                let (bytes, rows) = (writes.byteCount, report.rows + report.entries)
                guard writes.isAllowed(report) else {
                    try reading.note(oversized: report)
                    next = decide
                    continue
                }
                return Outcome(
                    writes: writes, answer: answer, bytes: bytes, report: report,
                    isBig: WriteSet.isBig(bytes: bytes, rows: rows))
            }
        }
    }
}

/// Reports that more heads must be locked. A head with a lower number than a locked one can no longer be locked, so the
/// item is repeated from its first read set, with all locks that are known to be needed.
private struct MissingLocks: Error {
    let databases: [DatabaseNumber]
}

extension ReadSet {
    /// Returns the requests of this set, followed by those of the others.
    fileprivate func and(_ others: [ReadSet]) -> ReadSet {
        var set = self
        for other in others { set.append(other) }
        return set
    }
}
