import Foundation
import Synchronization

/// A clock that can be set ahead, so that tests need not wait for retries.
final class AheadClock: Sendable {
    private let ahead = Mutex<Int64>(0)

    /// Milliseconds since 1970.
    @Sendable func read() -> Int64 { Int64(Date().timeIntervalSince1970 * 1_000) + ahead.withLock(\.self) }

    func advance(seconds: Int64) { ahead.withLock { $0 += seconds * 1_000 } }
}
