import KitSupport

/// Limits the duration of an operation.
enum Deadline {
    /// - Parameter duration: nil for no limit.
    static func result<Value: Sendable>(
        within duration: Duration?, _ clock: RefreshClock,
        _ body: @escaping @Sendable () async throws(ContentFault) -> Value
    ) async -> Result<Value, ContentFault> {
        let result: @Sendable () async -> Result<Value, ContentFault> = {
            do throws(ContentFault) { return .success(try await body()) } catch { return .failure(error) }
        }
        guard let duration else { return await result() }
        return await withTaskGroup(of: Result<Value, ContentFault>?.self) { group in
            group.addTask { await result() }
            group.addTask {
                guard (try? await clock.pause(duration)) != nil else { return nil }
                return .failure(ContentFault(.unreachable, "no answer arrived within \(duration)"))
            }
            // Leaving the group waits for the other task, which is cancelled.
            defer { group.cancelAll() }
            for await first in group { if let first { return first } }
            return .failure(ContentFault(.cancelled, "it was cancelled"))
        }
    }
}

/// Runs tasks one after the other, in order of arrival.
actor WaitingLine {
    private var last: Task<Void, Never>?

    func wait<Value: Sendable>(for body: @escaping @Sendable () async -> Value) async -> Value {
        let before = last
        let task = Task {
            await before?.value
            return await body()
        }
        last = Task { _ = await task.value }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
