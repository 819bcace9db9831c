/// Threads on which work may block: for a disk, a database, a lock.
package protocol WaitingThreads: Sendable {
    /// Schedules `job`, and returns immediately.
    ///
    /// - Parameter job: Called once, on one of the threads; with false if they were shut down, on any thread, where blocking is
    ///   not allowed.
    func perform(_ job: @escaping @Sendable (_ areRunning: Bool) -> Void)
}

extension WaitingThreads {
    /// Runs `body` on one of the threads. - Throws: The error of `body`; `CancellationError` if the threads were shut down.
    package func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            perform { areRunning in
                if areRunning {
                    continuation.resume(with: Result(catching: body))
                } else {
                    continuation.resume(throwing: CancellationError())
                }
            }
        }
    }
}
