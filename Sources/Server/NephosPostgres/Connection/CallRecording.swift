package import NephosStorage
import Synchronization

/// Records what an engine sends, round trip by round trip, to be sent again without the engine: the minimum cost of the same
/// work (`scripts/bench server postgres`).
package final class CallRecording: Sendable {
    private let trips = Mutex<[[Call]]>([])

    package init() {}

    package var roundTrips: Int { trips.withLock { $0.count } }

    /// The texts of all statements that were sent, each once.
    package var statements: Set<String> { trips.withLock { Set($0.joined().map(\.statement.sql)) } }

    /// Discards what was recorded so far.
    package func forget() { trips.withLock { $0 = [] } }

    func note(_ calls: [Call]) { trips.withLock { $0.append(calls) } }

    /// Everything that was recorded, ready to be sent once more.
    ///
    /// - Parameter target: A database in the same state as the recorded one.
    package func replay(on target: ConnectionTarget) throws(StorageError) -> CallReplay {
        CallReplay(trips: trips.withLock { $0 }, connection: try Connection(target))
    }
}

/// A recording and the single connection that it is sent over.
package final class CallReplay {
    private let trips: [[Call]]
    private let connection: Connection

    fileprivate init(trips: [[Call]], connection: Connection) {
        self.trips = trips
        self.connection = connection
    }

    package func run() throws(StorageError) {
        for calls in trips { try connection.run(calls) }
    }
}
