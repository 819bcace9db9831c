import Foundation
import Synchronization

/// Runs `body` concurrently on this many new threads, with numbers from 0 on, and waits for all of them.
///
/// For blocking clients, which must not occupy the few threads shared by tasks.
/// - Throws: The first error that any of them threw.
package func inThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
    let failure = Mutex<(any Error)?>(nil)
    let running = DispatchGroup()
    for number in 0..<count {
        running.enter()
        Thread.detachNewThread {
            do {
                try body(number)
            } catch {
                failure.withLock { $0 = $0 ?? error }
            }
            running.leave()
        }
    }
    running.wait()
    if let error = failure.withLock({ $0 }) { throw error }
}
