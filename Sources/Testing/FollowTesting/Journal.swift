import Synchronization

/// What was changed so far, when, and what became of it at those who follow.
final class Journal: Sendable {
    private struct State {
        /// When the answer to each save came, by the number it wrote.
        var acknowledged: [Int64: ContinuousClock.Instant] = [:]
        var changes = 0
        var isOver = false
    }

    private let state = Mutex(State())

    var changes: Int { state.withLock { $0.changes } }
    /// Nothing more happens: those who follow may end.
    var isOver: Bool { state.withLock { $0.isOver } }

    func end() { state.withLock { $0.isOver = true } }

    func note(_ changes: [Change]) {
        let now = ContinuousClock.now
        state.withLock { state in
            state.changes += changes.count
            for case .save(_, _, let number) in changes { state.acknowledged[number] = now }
        }
    }

    /// How long ago a save was acknowledged that somebody sees for the first time.
    func lag(_ number: Int64) -> Duration {
        let now = ContinuousClock.now
        return state.withLock { $0.acknowledged[number].map { now - $0 } ?? .zero }
    }
}

/// What one device went through.
struct Tally: Sendable {
    var notifications = 0
    /// Notifications that had come before.
    var repeated = 0
    /// What it would have been told if nothing were merged.
    var expected = 0
    var fetches = 0
    var connections = 0
    var longestLag = Duration.zero
}
