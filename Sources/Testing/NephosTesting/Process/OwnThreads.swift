import Foundation
import Synchronization

/// Threads for blocking work. A process has only as many threads for tasks as there are processors: tests that block these while
/// they wait for a server's tasks in the same process would deadlock.
///
/// They live as long as the process.
package final class OwnThreads: TaskExecutor {
    /// For tests: one per processor.
    package static let ofTests = OwnThreads(count: ProcessInfo.processInfo.activeProcessorCount)

    private let jobs = SystemLocked<[@Sendable () -> Void]>([])
    private let areThere = DispatchSemaphore(value: 0)

    package init(count: Int) {
        for _ in 0..<count { Thread.detachNewThread { self.work() } }
    }

    private func work() -> Never {
        while true {
            areThere.wait()
            autoreleasing { jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }?() }
        }
    }

    /// Runs `job` on one of the threads.
    package func add(_ job: @escaping @Sendable () -> Void) {
        jobs.withLock { $0.append(job) }
        areThere.signal()
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        add { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Blocks until `body` returns. Only for threads that may block, never for those shared by tasks.
@discardableResult
package func blocking<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
    let result = Mutex<Value?>(nil)
    let isThere = DispatchSemaphore(value: 0)
    Task(executorPreference: waitedFor) {
        let value = await body()
        result.withLock { $0 = value }
        isThere.signal()
    }
    isThere.wait()
    guard let value = result.withLock({ $0 }) else { preconditionFailure("a finished task has a result") }
    return value
}

/// Separate from the threads of the tests, all of which may be blocked.
private let waitedFor = OwnThreads(count: 16)

/// Releases what system libraries retain until a thread's autorelease pool is drained.
private func autoreleasing(_ body: () -> Void) {
    #if canImport(ObjectiveC)
        autoreleasepool(invoking: body)
    #else
        body()
    #endif
}
