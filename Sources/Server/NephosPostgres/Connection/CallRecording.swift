package import NephosStorage
import Synchronization

/// What an engine sends, round trip by round trip, to be sent again without it: the least that the same work can cost
/// (`scripts/bench server postgres`).
package final class CallRecording: Sendable {
    private let trips = Mutex<[[Call]]>([])

    package init() {}

    package var roundTrips: Int { trips.withLock { $0.count } }

    /// The texts of all that was sent, each once.
    package var statements: Set<String> { trips.withLock { Set($0.joined().map(\.statement.sql)) } }

    /// Forgets what was taken down so far.
    package func forget() { trips.withLock { $0 = [] } }

    func note(_ calls: [Call]) { trips.withLock { $0.append(calls) } }

    /// Everything that was taken down, ready to be sent once more.
    ///
    /// - Parameter target: A database in the state that the recorded one was in.
    package func replay(on target: ConnectionTarget) throws(StorageError) -> CallReplay {
        CallReplay(trips: trips.withLock { $0 }, connection: try Connection(target))
    }
}

/// A recording and the one connection that it is sent over.
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
