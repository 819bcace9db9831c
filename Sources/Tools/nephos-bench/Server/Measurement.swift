import NephosTesting

/// What a case cost the server.
struct Measurement {
    /// Server processor time for one request, in microseconds, and requests a second.
    var microseconds: Double
    var perSecond: Double
    /// Of the time a client waits, in microseconds.
    var median, percentile99: Int
}

/// Runs cases against a server.
struct Meter {
    let server: ServerProcess
    let wrk: Wrk
    let seconds: Int

    /// The median of `rounds` runs, by processor time.
    func measure(_ test: Case, connections: Int, rounds: Int) throws -> Measurement {
        let runs = try (0..<rounds).map { round in
            try once(test, connections: connections, label: "m\(connections)x\(round)-")
        }
        return runs.sorted { $0.microseconds < $1.microseconds }[rounds / 2]
    }

    private func once(_ test: Case, connections: Int, label: String) throws -> Measurement {
        let before = try server.usage.cpuNanoseconds
        let result = try load(test, connections: connections, label: label)
        let used = try server.usage.cpuNanoseconds - before
        return Measurement(
            microseconds: Double(used) / 1e3 / Double(result.requests), perSecond: result.perSecond,
            median: result.median, percentile99: result.percentile99)
    }

    private func load(_ test: Case, connections: Int, label: String) throws -> WrkResult {
        let result = try wrk.run(
            test.script, test.arguments + (test.isFresh ? [label] : []), port: server.port + test.portOffset,
            connections: connections, seconds: seconds)
        guard result.failures == 0 else {
            throw Wrk.Failure(description: "\(test.name): \(result.failures) of \(result.requests) requests failed")
        }
        return result
    }

    /// Allocations for one request, of a server that counts them.
    func allocations(_ test: Case, _ counter: AllocationCounter) throws -> Double {
        let before = try counter.count
        let result = try load(test, connections: 1, label: "a-")
        return Double(try counter.count - before) / Double(result.requests)
    }
}
