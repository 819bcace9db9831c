import NephosStorage

/// One transaction on one connection, in as few round trips as it can: what is written waits until something must be
/// read, and travels with it.
///
/// It belongs to one thread. A transaction that is neither committed nor rolled back is rolled back by whoever lent the
/// connection.
final class Transaction {
    let connection: Connection
    private var waiting: [Call]
    /// It ended with what it asked for last.
    private(set) var isEnded = false
    /// COMMIT was sent: whether it took place is not known until the answer comes.
    private(set) var isCommitSent = false
    /// Of a reading one: nothing more is sent once nobody waits for what it reads.
    let abandonment: Abandonment?

    /// - Parameter begin: ``Statement/begin`` or ``Statement/beginReading``; sent with the first statements.
    init(_ connection: Connection, _ begin: Statement, _ abandonment: Abandonment? = nil) {
        self.connection = connection
        self.abandonment = abandonment
        waiting = [Call(begin)]
    }

    /// Runs a statement before the next that must be answered. It fails with that one.
    func later(_ call: Call) { waiting.append(call) }

    /// Runs everything that waits and then these calls, all in one round trip, and answers these.
    func run(_ calls: [Call]) throws(StorageError) -> ArraySlice<Rows> {
        try abandonment.check()
        let all = waiting + calls
        let count = waiting.count
        waiting = []
        return try connection.run(all).dropFirst(count)
    }

    /// ``run(_:)``, and COMMIT in the same round trip: of a transaction that only reads.
    func runToEnd(_ calls: [Call]) throws(StorageError) -> ArraySlice<Rows> {
        isEnded = true
        return try run(calls + [Call(.commit)])
    }

    /// Runs everything that waits, and ends the transaction for good.
    func commit() throws(StorageError) {
        waiting.append(Call(.commit))
        isCommitSent = true
        let all = waiting
        waiting = []
        try connection.runCommitting(all)
    }

    /// Gives up what was done. What was not sent yet never is.
    func rollback() {
        waiting = []
        guard !connection.isLost, connection.isInTransaction else { return }
        // A connection that cannot even roll back is lost, and its server rolls back.
        _ = try? connection.run([Call(.rollback)])
    }
}
