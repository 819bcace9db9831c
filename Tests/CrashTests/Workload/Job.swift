import Foundation
import Synchronization

/// Work on a separate thread. Its calls block, which threads of the concurrency runtime must not do.
final class Job<Output: Sendable>: Sendable {
    private let output = Mutex<Output?>(nil)
    private let done = DispatchSemaphore(value: 0)

    /// Starts it.
    init(_ body: @escaping @Sendable () -> Output) {
        Thread.detachNewThread {
            let output = body()
            self.output.withLock { $0 = output }
            self.done.signal()
        }
    }

    /// Waits until it is done. Call it once.
    func finish() -> Output {
        while true {
            done.wait()
            if let output = output.withLock({ $0 }) { return output }
        }
    }

    /// Runs `body` concurrently for all inputs, and returns the results in order.
    static func each<Input: Sendable>(_ inputs: [Input], _ body: @escaping @Sendable (Input) -> Output) -> [Output] {
        inputs.map { input in Job { body(input) } }.map { $0.finish() }
    }
}
