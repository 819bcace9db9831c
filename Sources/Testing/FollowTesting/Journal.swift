import Synchronization

/// The changes so far, their times, and their effects on the followers.
final class Journal: Sendable {
    private struct State {
        /// When the response to each save arrived, by the number it wrote.
        var acknowledged: [Int64: ContinuousClock.Instant] = [:]
        var changes = 0
        var isOver = false
    }

    private let state = Mutex(State())

    var changes: Int { state.withLock { $0.changes } }
    /// No more changes will follow: followers may end.
    var isOver: Bool { state.withLock { $0.isOver } }

    func end() { state.withLock { $0.isOver = true } }

    func note(_ changes: [Change]) {
        let now = ContinuousClock.now
        state.withLock { state in
            state.changes += changes.count
            for case .save(_, _, let number) in changes { state.acknowledged[number] = now }
        }
    }

    /// The time since a save was acknowledged, for a follower that sees its number for the first time.
    func lag(_ number: Int64) -> Duration {
        let now = ContinuousClock.now
        return state.withLock { $0.acknowledged[number].map { now - $0 } ?? .zero }
    }
}

/// The statistics of one device.
struct Tally: Sendable {
    var notifications = 0
    /// Repetitions of notifications that were received before.
    var repeated = 0
    /// The number of notifications without coalescing.
    var expected = 0
    var fetches = 0
    var connections = 0
    var longestLag = Duration.zero
}
