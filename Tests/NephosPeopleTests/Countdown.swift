import Synchronization

/// Counts calls, up to one.
final class Countdown: Sendable {
    private let left: Mutex<Int>

    init(_ count: Int) { left = Mutex(count) }

    /// Whether it has been called so often now.
    func isOver() -> Bool {
        left.withLock { left in
            left -= 1
            return left == 0
        }
    }
}
