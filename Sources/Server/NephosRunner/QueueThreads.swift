import Foundation

/// Threads of the system's own pool, for who has no pool of a network library: tests, and servers inside a process.
package final class QueueThreads: WaitingThreads {
    private let queue = OperationQueue()

    /// - Parameter count: Most at a time.
    package init(count: Int = 4) { queue.maxConcurrentOperationCount = count }

    package func perform(_ job: @escaping @Sendable (_ areRunning: Bool) -> Void) { queue.addOperation { job(true) } }
}
