import Foundation
import Synchronization

/// Runs `body` on so many threads of their own at once, with the numbers from 0 on, and waits for all of them.
///
/// For clients that block: they must not take the few threads that tasks share.
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
