import Foundation
import Synchronization

/// Threads on which passwords are hashed, which takes all of a core for a while: so few that others have cores left.
final class PasswordThreads: Sendable {
    /// Those who wait for one of them; more are sent away.
    static let waitingMax = 64

    private let queue = OperationQueue()
    private let inHandMax: Int
    private let inHand = Mutex(0)

    /// - Parameter count: Half of the cores, and at least one.
    init(count: Int = max(1, ProcessInfo.processInfo.activeProcessorCount / 2)) {
        queue.maxConcurrentOperationCount = count
        queue.qualityOfService = .utility
        inHandMax = count + Self.waitingMax
    }

    /// Has `job` done, and returns at once.
    ///
    /// - Returns: Whether it will be; not where too many wait.
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
