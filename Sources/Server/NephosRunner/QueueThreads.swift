import Foundation

/// Threads of the system's own pool, for programs without the thread pool of a network library: tests, and in-process servers.
package final class QueueThreads: WaitingThreads {
    private let queue = OperationQueue()

    /// - Parameter count: The maximum number of concurrent jobs.
    package init(count: Int = 4) { queue.maxConcurrentOperationCount = count }

    package func perform(_ job: @escaping @Sendable (_ areRunning: Bool) -> Void) { queue.addOperation { job(true) } }
}
