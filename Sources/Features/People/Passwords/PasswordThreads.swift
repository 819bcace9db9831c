import Foundation
import Synchronization

/// Threads for hashing passwords, which occupies a core for a while: few enough to leave cores for other work.
final class PasswordThreads: Sendable {
    /// The maximum number of waiting jobs; more are refused.
    static let waitingMax = 64

    private let queue = OperationQueue()
    private let inHandMax: Int
    private let inHand = Mutex(0)

    /// - Parameter count: By default half of the cores, and at least one.
    init(count: Int = max(1, ProcessInfo.processInfo.activeProcessorCount / 2)) {
        queue.maxConcurrentOperationCount = count
        queue.qualityOfService = .utility
        inHandMax = count + Self.waitingMax
    }

    /// Runs `job` on one of the threads and returns immediately.
    ///
    /// - Returns: Whether it will run; false if too many are waiting.
    func perform(_ job: @escaping @Sendable () -> Void) -> Bool {
        let isIn = inHand.withLock { inHand in
            guard inHand < inHandMax else { return false }
            inHand += 1
            return true
        }
        guard isIn else { return false }
        queue.addOperation { [self] in
            defer { inHand.withLock { $0 -= 1 } }
            job()
        }
        return true
    }
}
