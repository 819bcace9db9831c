import CloudKitWire
import NephosStorage

/// What waits to be written: a decision of the domain, or a chore of the engine.
protocol PendingCommit: Sendable {
    /// The databases that it names. One with a single database may share its transaction with others of that.
    var databases: [DatabaseNumber] { get }
    /// Locks, reads, decides and writes inside the transaction under way.
    ///
    /// - Parameters:
    ///   - isAlone: Nothing else is done in this transaction.
    ///   - locking: Heads to lock beside its own.
    /// - Throws: What the item fails with. Nothing of it is written then, unless the transaction is broken.
    func attempt(in session: WriteSession, isAlone: Bool, locking: [DatabaseNumber]) throws -> Attempt
    /// Called once, when what ``attempt(in:isAlone:locking:)`` wrote is durable.
    func succeed()
    /// Called once, when nothing was written, or nobody knows.
    func fail(_ error: any Error)
}

/// What an item did to its transaction.
enum Attempt {
    /// It may share the transaction with others; this is how many bytes of rows it wrote.
    case done(bytes: Int, CommitReport)
    /// It wants a transaction of its own, with these heads locked too. Nothing was written.
    case wantsToBeAlone(locking: [DatabaseNumber])
}

extension PendingDecision: PendingCommit {
    var databases: [DatabaseNumber] { self.set.databases }

    func attempt(in session: WriteSession, isAlone: Bool, locking: [DatabaseNumber]) throws -> Attempt {
        var wanted = set
        var reading = try session.load(set, locking: set.databases + locking)
        while true {
            let outcome: Outcome
            do {
                outcome = try self.outcome(&reading, session.store.secretKeys) { more, reading in
                    try session.expectLocked(more.databases)
                    wanted.append(more)
                    try session.load(more: more, into: &reading)
                } report: {
                    try session.report(of: $0, $1)
                }
            } catch let missing as MissingLocks {
                return .wantsToBeAlone(locking: locking + missing.databases)
            }
            let touchesCatalog = outcome.writes.touchesCatalog
            if (outcome.isBig || touchesCatalog) && !isAlone { return .wantsToBeAlone(locking: locking) }
            if touchesCatalog, try !session.lockCatalog(asSeenIn: reading) {
                // The catalog moved before it was locked: what was read with it counts no more.
                let oversized = reading.oversized
                reading = try session.load(wanted, locking: [])
                reading.oversized = oversized
                continue
            }
            try session.apply(outcome.writes, reading)
            wrote(outcome, reading)
            return .done(bytes: outcome.bytes, outcome.report)
        }
    }
}

/// A head below one that is locked cannot be locked now: everything starts again, from the first read set, with all locks
/// that are known to be wanted.
private struct MissingLocks: Error {
    let databases: [DatabaseNumber]
}

extension WriteSession {
    fileprivate func expectLocked(_ databases: [DatabaseNumber]) throws(MissingLocks) {
        let missing = databases.filter { !locked.contains($0) }
        if !missing.isEmpty { throw MissingLocks(databases: missing) }
    }
}

extension Chore: PendingCommit where Session == WriteSession {
    var databases: [DatabaseNumber] { [] }

    func attempt(in session: WriteSession, isAlone: Bool, locking: [DatabaseNumber]) throws -> Attempt {
        try run(in: session)
        return .done(bytes: 0, CommitReport(commits: 1))
    }
}
