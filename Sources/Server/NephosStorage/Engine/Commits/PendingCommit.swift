/// An item of the queue: a decision of the domain, or internal work of the engine.
package protocol PendingCommit: AnyObject, Sendable {
    /// The databases that it names first.
    var databases: [DatabaseNumber] { get }
    /// Locks, reads, decides and writes inside the current transaction.
    ///
    /// - Parameters:
    ///   - isFirst: Nothing else was done in this transaction.
    ///   - locking: Heads to lock in addition to its own.
    /// - Throws: The error of the item. Nothing of it is written then, unless the transaction is broken.
    func attempt(in session: any CommitSession, isFirst: Bool, locking: [DatabaseNumber]) throws -> Attempt
    /// Called once, when what ``attempt(in:isFirst:locking:)`` wrote is durable.
    func succeed()
    /// Called once, when nothing was written, or the outcome is not known.
    func fail(_ error: any Error)
}

/// The effect of an item on its transaction.
package enum Attempt {
    /// It may share the transaction with others; `bytes` is the size of the rows that it wrote.
    case done(bytes: Int, CommitReport)
    /// The transaction should end here.
    case filled(CommitReport)
    /// It needs a transaction in which nothing else was done. Nothing was written.
    case wantsToBeFirst
    /// It needs its own transaction, with these heads locked as well. Nothing was written.
    case needsOwnTransaction(locking: [DatabaseNumber])
}

/// Internal work of an engine, in its own transaction.
package final class Chore<Session: CommitSession, Answer: Sendable>: PendingCommit, @unchecked Sendable {
    private let work: @Sendable (Session) throws(StorageError) -> Answer
    private let completion: @Sendable (Result<Answer, any Error>) -> Void
    /// Accessed only by the thread that runs it.
    private var answer: Answer?

    package init(
        _ work: @escaping @Sendable (Session) throws(StorageError) -> Answer,
        _ completion: @escaping @Sendable (Result<Answer, any Error>) -> Void
    ) {
        self.work = work
        self.completion = completion
    }

    package var databases: [DatabaseNumber] { [] }

    package func attempt(in session: any CommitSession, isFirst: Bool, locking: [DatabaseNumber]) throws -> Attempt {
        guard isFirst else { return .wantsToBeFirst }
        guard let session = session as? Session else {
            throw StorageError.failed("the session belongs to another engine")
        }
        answer = try session.allOrNothing { () throws(StorageError) in try work(session) }
        return .filled(CommitReport(commits: 1))
    }

    package func succeed() {
        if let answer { completion(.success(answer)) }
    }

    package func fail(_ error: any Error) { completion(.failure(error)) }
}
