import Foundation
import NephosTesting
import Synchronization

/// Counts the requests of all writers, and signals when there are enough.
final class Load: Sendable {
    private let count = Mutex(0)
    private let target: Int
    private let reached = DispatchSemaphore(value: 0)

    /// - Parameter target: The number of requests after which ``waitForTarget()`` returns.
    init(target: Int) { self.target = target }

    /// Whether the target is reached.
    var isEnough: Bool { count.withLock { $0 >= target } }

    func acknowledged() {
        let isTarget = count.withLock { count in
            count += 1
            return count == target
        }
        if isTarget { reached.signal() }
    }

    /// A writer cannot continue; nobody must wait for it.
    func gaveUp() { reached.signal() }

    /// Returns once this many requests have responses, or a writer gave up.
    func waitForTarget() { reached.wait() }

    /// Returns once a writer has given up, after ``waitForTarget()``; or after half a minute without one.
    func waitForLoss() { _ = reached.wait(timeout: .now() + 30) }
}
