import Dispatch
import NephosStorage
import Synchronization

/// The connections of one process to one database: opened when they are needed, kept as long as they work.
///
/// Callers block until a connection is available. If the server cannot be reached, attempts become less and less frequent,
/// and calls in between fail immediately, so that threads do not pile up during an outage.
final class ConnectionPool: Sendable {
    private struct State {
        var idle: [Connection] = []
        var isClosed = false
        /// Set while the server cannot be reached: the error, the time before which no attempt is made, and the length of that delay.
        var outage: (error: StorageError, until: ContinuousClock.Instant, delay: Duration)?
    }

    private let target: ConnectionTarget
    private let recording: CallRecording?
    private let state = Mutex(State())
    private let places: DispatchSemaphore
    /// How often connections waited for the server, for tests and statistics.
    let roundTrips = Atomic<Int>(0)
    /// How many hints to other processes were not accepted, for tests and statistics.
    let droppedHints = Atomic<Int>(0)

    /// - Parameter limit: Maximum number of connections.
    init(_ target: ConnectionTarget, limit: Int, recording: CallRecording? = nil) {
        self.target = target
        self.recording = recording
        places = DispatchSemaphore(value: limit)
    }

    /// Provides `body` with a connection. May block.
    ///
    /// - Throws: ``StorageError/busy`` if no connection becomes free within 10 s; ``StorageError/unavailable(_:)``.
    func withConnection<Answer>(
        _ body: (Connection) throws(StorageError) -> Answer
    ) throws(StorageError) -> Answer {
        guard places.wait(timeout: .now() + .seconds(10)) == .success else { throw .busy }
        defer { places.signal() }
        let connection: Connection
        if let idle = try take() { connection = idle } else { connection = try open() }
        let before = (roundTrips: connection.roundTrips, droppedHints: connection.droppedHints)
        defer {
            roundTrips.add(connection.roundTrips - before.roundTrips, ordering: .relaxed)
            droppedHints.add(connection.droppedHints - before.droppedHints, ordering: .relaxed)
            giveBack(connection)
        }
        return try body(connection)
    }

    /// Provides a connection for work that changes nothing or is not begun when the connection is lost: runs it once more
    /// with a new connection if the server went away since the connection was last used.
    func withConnectionRetrying<Answer>(
        _ body: (Connection) throws(StorageError) -> Answer
    ) throws(StorageError) -> Answer {
        do throws(StorageError) {
            return try withConnection(body)
        } catch {
            guard case .unavailable = error else { throw error }
            forgetIdle()
            return try withConnection(body)
        }
    }

    /// Runs a single statement that is safe to run twice; it is repeated once as in ``withConnectionRetrying(_:)``.
    func run<each Value: Parameter>(
        _ statement: Statement, _ values: repeat each Value
    ) throws(StorageError) -> Rows {
        guard let rows = try run([Call(statement, repeat each values)]).first else {
            throw .failed("a statement has no answer")
        }
        return rows
    }

    /// Runs several statements in one round trip.
    func run(_ calls: [Call]) throws(StorageError) -> [Rows] {
        try withConnectionRetrying { connection throws(StorageError) in try connection.run(calls) }
    }

    /// Runs `body` in a transaction, and commits. If the connection is lost before COMMIT was sent, `body` is run once more.
    func withTransaction<Answer>(_ body: (Transaction) throws -> Answer) throws -> Answer {
        var isCommitSent = false
        func attempt(_ connection: Connection) -> Result<Answer, any Error> {
            let transaction = Transaction(connection, .begin)
            defer {
                isCommitSent = transaction.isCommitSent
                transaction.rollback()
            }
            return Result {
                let answer = try body(transaction)
                try transaction.commit()
                return answer
            }
        }
        let result = try withConnection { connection in attempt(connection) }
        guard case .failure(StorageError.unavailable) = result, !isCommitSent else { return try result.get() }
        forgetIdle()
        return try withConnection { connection in attempt(connection) }.get()
    }

    private func take() throws(StorageError) -> Connection? {
        try state.withLock { state throws(StorageError) in
            if state.isClosed { throw .closed }
            return state.idle.popLast()
        }
    }

    private func open() throws(StorageError) -> Connection {
        let now = ContinuousClock.now
        try state.withLock { state throws(StorageError) in
            if let outage = state.outage, now < outage.until { throw outage.error }
        }
        do throws(StorageError) {
            let connection = try Connection(target, recording: recording)
            // After a failover it may be a different server.
            try ServerRequirements.check(connection)
            state.withLock { $0.outage = nil }
            return connection
        } catch {
            state.withLock { state in
                let delay = state.outage.map { min($0.delay * 2, .seconds(2)) } ?? .milliseconds(50)
                state.outage = (error, now.advanced(by: delay), delay)
            }
            throw error
        }
    }

    private func giveBack(_ connection: Connection) {
        guard !connection.isLost else { return forgetIdle() }
        if connection.isInTransaction { _ = try? connection.run([Call(.rollback)]) }
        guard !connection.isLost, !connection.isInTransaction else { return }
        state.withLock { state in
            if !state.isClosed { state.idle.append(connection) }
        }
    }

    /// Closes idle connections: if one was lost, the others are lost, too.
    func forgetIdle() {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        _ = consume idle
    }

    /// Provides no more connections, and closes idle ones; the others are closed when they are returned.
    func close() {
        state.withLock { $0.isClosed = true }
        forgetIdle()
    }
}
