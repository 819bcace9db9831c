/// Threads on which work may wait: for a disk, a database, a lock.
package protocol WaitingThreads: Sendable {
    /// Has `job` done, and returns at once.
    ///
    /// - Parameter job: Called once, on one of the threads; with false when they were shut down, on whatever thread that is
    ///   then, where it must not wait.
    func perform(_ job: @escaping @Sendable (_ areRunning: Bool) -> Void)
}

extension WaitingThreads {
    /// What `body` comes to on one of the threads. - Throws: What it throws; `CancellationError` when they were shut down.
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
