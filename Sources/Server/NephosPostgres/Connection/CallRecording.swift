package import NephosStorage
import Synchronization

/// What an engine sends, round trip by round trip, to be sent again without it: the least that the same work can cost
/// (`scripts/bench server postgres`).
package final class CallRecording: Sendable {
    private let trips = Mutex<[[Call]]>([])

    package init() {}

    package var roundTrips: Int { trips.withLock { $0.count } }

    /// Forgets what was taken down so far.
    package func forget() { trips.withLock { $0 = [] } }

    func note(_ calls: [Call]) { trips.withLock { $0.append(calls) } }

    /// Sends everything once more, over one connection.
    ///
    /// - Parameter target: A database in the state that the recorded one was in.
    package func replay(on target: ConnectionTarget) throws(StorageError) {
        let connection = try Connection(target)
        for calls in trips.withLock({ $0 }) { try connection.run(calls) }
    }
}
