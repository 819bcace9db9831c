import NephosStorage

/// One transaction on one connection, in as few round trips as possible: writes are queued until something must be read, and
/// are sent with it.
///
/// It is used by one thread. A transaction that is neither committed nor rolled back is rolled back by the owner of the connection.
final class Transaction {
    let connection: Connection
    private var waiting: [Call]
    private var hints: [Call] = []
    /// It ended with its last calls.
    private(set) var isEnded = false
    /// COMMIT was sent: its outcome is not known until the response arrives.
    private(set) var isCommitSent = false
    /// For a transaction that reads: nothing more is sent after its caller has abandoned the read.
    let abandonment: Abandonment?

    /// - Parameter begin: ``Statement/begin`` or ``Statement/beginReading``; sent with the first statements.
    init(_ connection: Connection, _ begin: Statement, _ abandonment: Abandonment? = nil) {
        self.connection = connection
        self.abandonment = abandonment
        waiting = [Call(begin)]
    }

    /// Runs a call before the next one whose result is needed. A failure is thrown there.
    func later(_ call: Call) { waiting.append(call) }

    /// Runs a call after the commit, in the same round trip. If it fails, everything else has taken effect all the same.
    func afterCommit(_ call: Call) { hints.append(call) }

    /// Runs all queued calls and then these, in one round trip, and returns the results of these. Blocks.
    func run(_ calls: [Call]) throws(StorageError) -> ArraySlice<Rows> {
        try abandonment.check()
        let all = waiting + calls
        let count = waiting.count
        waiting = []
        return try connection.run(all).dropFirst(count)
    }

    /// ``run(_:)`` with COMMIT in the same round trip, for a transaction that only reads.
    func runToEnd(_ calls: [Call]) throws(StorageError) -> ArraySlice<Rows> {
        isEnded = true
        return try run(calls + [Call(.commit)])
    }

    /// Runs all queued calls, and ends the transaction permanently. Blocks.
    func commit() throws(StorageError) {
        waiting.append(Call(.commit))
        isCommitSent = true
        let (all, hints) = (waiting, hints)
        (waiting, self.hints) = ([], [])
        try connection.runCommitting(all, then: hints)
    }

    /// Rolls back. Queued calls are never sent.
    func rollback() {
        (waiting, hints) = ([], [])
        guard !connection.isLost, connection.isInTransaction else { return }
        // If even a rollback fails, the connection is lost, and the server rolls back.
        _ = try? connection.run([Call(.rollback)])
    }
}
