import CloudKitWire
import NephosStorage

/// What waits for the writer: a decision of the domain, or a chore of the engine.
protocol PendingCommit: Sendable {
    /// Reads, decides and writes inside the transaction under way.
    ///
    /// - Parameter isFirst: Nothing else was done in this transaction.
    /// - Throws: What the item fails with; nothing of it is written then. Other items are not touched, unless the
    ///   connection says that its transaction is broken.
    func attempt(in session: WriteSession, isFirst: Bool) throws -> Attempt
    /// Called once, when what ``attempt(in:isFirst:)`` wrote is durable.
    func succeed()
    /// Called once, when nothing was written.
    func fail(_ error: any Error)
}

/// What an item did to its transaction.
enum Attempt {
    /// It may share the transaction with others; this is how many bytes of rows it wrote.
    case done(bytes: Int, CommitReport)
    /// It wrote so much that the transaction should end here.
    case filled(CommitReport)
    /// It wants a transaction that nothing else was done in. Nothing was written.
    case wantsToBeFirst

    var report: CommitReport {
        switch self {
        case .done(_, let report), .filled(let report): report
        case .wantsToBeFirst: CommitReport()
        }
    }
}

extension PendingDecision: PendingCommit {
    func attempt(in session: WriteSession, isFirst: Bool) throws -> Attempt {
        var reading = Reading(catalog: try session.catalog())
        try session.load(set, into: &reading)
        let outcome = try outcome(&reading, session.keys, load: session.load, report: session.report)
        if outcome.isBig && !isFirst { return .wantsToBeFirst }
        try session.apply(outcome.writes, reading)
        wrote(outcome, reading)
        return outcome.isBig ? .filled(outcome.report) : .done(bytes: outcome.bytes, outcome.report)
    }
}

extension Chore: PendingCommit where Session == WriteSession {
    func attempt(in session: WriteSession, isFirst: Bool) throws -> Attempt {
        guard isFirst else { return .wantsToBeFirst }
        try session.connection.allOrNothing { () throws(StorageError) in try run(in: session) }
        return .filled(CommitReport(commits: 1))
    }
}
