import NephosTesting

/// The cost of a case for the server.
struct Measurement {
    /// The server's processor time for one request, in microseconds.
    var microseconds: Double
    /// The same for PostgreSQL; 0 without it.
    var postgresMicroseconds: Double
    var perSecond: Double
    /// Response times, in microseconds.
    var median, percentile99: Int
}

/// Runs cases against a server.
struct Meter {
    let server: ServerProcess
    let wrk: Wrk
    let seconds: Int
    /// The server's database, if its processor time is to be measured, too.
    var postgres: PostgresServer?

    /// The median of `rounds` runs, by processor time.
    ///
    /// - Parameter label: A unique prefix for new names.
    func measure(_ test: Case, connections: Int, rounds: Int, label: String = "m") throws -> Measurement {
        let runs = try (0..<rounds).map { round in
            try once(test, connections: connections, label: "\(label)\(connections)x\(round)-")
        }
        return runs.sorted { $0.microseconds < $1.microseconds }[rounds / 2]
    }

    private func once(_ test: Case, connections: Int, label: String) throws -> Measurement {
        let (before, theirs) = (try server.usage.cpuNanoseconds, try postgres?.cpuNanoseconds ?? 0)
        let result = try load(test, connections: connections, label: label)
        let used = try server.usage.cpuNanoseconds - before
        let usedThere = try (postgres?.cpuNanoseconds ?? 0) - theirs
        return Measurement(
            microseconds: Double(used) / 1e3 / Double(result.requests),
            postgresMicroseconds: Double(usedThere) / 1e3 / Double(result.requests), perSecond: result.perSecond,
            median: result.median, percentile99: result.percentile99)
    }

    private func load(_ test: Case, connections: Int, label: String) throws -> WrkResult {
        let result = try wrk.run(
            test.script, test.arguments + (test.isFresh ? [label] : []), port: server.port, connections: connections,
            seconds: seconds)
        guard result.failures == 0 else {
            throw Wrk.Failure(description: "\(test.name): \(result.failures) of \(result.requests) requests failed")
        }
        return result
    }

    /// Allocations per request, of a server that counts them.
    func allocations(_ test: Case, _ counter: AllocationCounter) throws -> Double {
        let before = try counter.count
        let result = try load(test, connections: 1, label: "a-")
        return Double(try counter.count - before) / Double(result.requests)
    }
}
