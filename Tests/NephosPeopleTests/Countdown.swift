import Synchronization

/// Counts calls down to zero.
final class Countdown: Sendable {
    private let left: Mutex<Int>

    init(_ count: Int) { left = Mutex(count) }

    /// Whether the number of calls has been reached.
    func isOver() -> Bool {
        left.withLock { left in
            left -= 1
            return left == 0
        }
    }
}
