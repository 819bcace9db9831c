/// What waits to be written: a decision of the domain, or a chore of the engine.
package protocol PendingCommit: AnyObject, Sendable {
    /// The databases that it names first.
    var databases: [DatabaseNumber] { get }
    /// Locks, reads, decides and writes inside the transaction under way.
    ///
    /// - Parameters:
    ///   - isFirst: Nothing else was done in this transaction.
    ///   - locking: Heads to lock beside its own.
    /// - Throws: What the item fails with. Nothing of it is written then, unless the transaction is broken.
    func attempt(in session: any CommitSession, isFirst: Bool, locking: [DatabaseNumber]) throws -> Attempt
    /// Called once, when what ``attempt(in:isFirst:locking:)`` wrote is durable.
    func succeed()
    /// Called once, when nothing was written, or nobody knows.
    func fail(_ error: any Error)
}

/// What an item did to its transaction.
package enum Attempt {
    /// It may share the transaction with others; this is how many bytes of rows it wrote.
    case done(bytes: Int, CommitReport)
    /// The transaction should end here.
    case filled(CommitReport)
    /// It wants a transaction that nothing else was done in. Nothing was written.
    case wantsToBeFirst
    /// It wants a transaction of its own, with these heads locked too. Nothing was written.
    case wantsToBeAlone(locking: [DatabaseNumber])
}

/// Work of an engine itself, in a transaction of its own.
package final class Chore<Session: CommitSession, Answer: Sendable>: PendingCommit, @unchecked Sendable {
    private let work: @Sendable (Session) throws(StorageError) -> Answer
    private let completion: @Sendable (Result<Answer, any Error>) -> Void
    /// Only the thread that runs it touches it.
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
        guard let session = session as? Session else { throw StorageError.failed("a chore of another engine") }
        answer = try session.allOrNothing { () throws(StorageError) in try work(session) }
        return .filled(CommitReport(commits: 1))
    }

    package func succeed() {
        if let answer { completion(.success(answer)) }
    }

    package func fail(_ error: any Error) { completion(.failure(error)) }
}
