/// An item of the queue: a decision of the domain, or internal work of an engine.
package protocol PendingCommit: AnyObject, Sendable {
    /// The databases that the item's first read set names, which determine its line.
    var databases: [DatabaseNumber] { get }
    /// Locks, reads, decides and writes inside the current transaction.
    ///
    /// - Parameters:
    ///   - isFirst: Whether nothing else was done in this transaction.
    ///   - locking: Databases whose heads are locked in addition to ``databases``.
    /// - Throws: The error of the item. Then nothing of it was written, unless the transaction is broken.
    func attempt(in session: any CommitSession, isFirst: Bool, locking: [DatabaseNumber]) throws -> Attempt
    /// Called once, after everything that ``attempt(in:isFirst:locking:)`` wrote is durable.
    func succeed()
    /// Called once, if nothing was written or the outcome is not known.
    func fail(_ error: any Error)
}

/// The result of running an item in a transaction.
package enum Attempt {
    /// The item was written, and may share the transaction with others; `bytes` is the size of the rows that it wrote.
    case done(bytes: Int, CommitReport)
    /// The item was written, and should be the last in the transaction.
    case filled(CommitReport)
    /// The item needs a transaction in which nothing else was done. Nothing was written.
    case wantsToBeFirst
    /// The item needs its own transaction, with the heads of these databases locked as well. Nothing was written.
    case needsOwnTransaction(locking: [DatabaseNumber])
}

/// Internal work of an engine, which gets a transaction of its own.
package final class Chore<Session: CommitSession, Answer: Sendable>: PendingCommit, @unchecked Sendable {
    private let work: @Sendable (Session) throws(StorageError) -> Answer
    private let completion: @Sendable (Result<Answer, any Error>) -> Void
    /// Accessed only by the thread that runs the item.
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
