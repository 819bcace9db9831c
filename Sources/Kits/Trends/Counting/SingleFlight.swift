/// Runs one task at a time: callers that arrive while it runs wait for its result.
actor SingleFlight<Value: Sendable> {
    private var running: Task<Value, Never>?

    func value(_ body: @escaping @Sendable () async -> Value) async -> Value {
        if let running { return await running.value }
        let task = Task(priority: .utility) { await body() }
        running = task
        let value = await task.value
        running = nil
        return value
    }
}
