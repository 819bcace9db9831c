import NephosTesting

/// The same requests to a server with each engine, on the same machine.
struct EngineComparison {
    /// One request, measured at 32 connections.
    struct Row {
        var name: String
        var onSQLite, onPostgres: Measurement
    }

    private static let seconds = 3
    private static let rounds = 3

    /// The cases of the table of requests, and two queries in 100,000 records.
    func rows() throws -> [Row] {
        let sqlite = try Self.measure(QueryBench(), postgres: nil)
        let postgres = try PostgresServer()
        let onPostgres = try Self.measure(
            QueryBench(environment: ["NEPHOS_STORE": postgres.createDatabase()]), postgres: postgres)
        return zip(sqlite, onPostgres).map { Row(name: $0.name, onSQLite: $0.found, onPostgres: $1.found) }
    }

    private static func measure(
        _ bench: QueryBench, postgres: PostgresServer?
    ) throws -> [(name: String, found: Measurement)] {
        try bench.cloud.fill("Many", BenchCloud.lookups)
        let wrk = try Wrk()
        let meter = Meter(server: bench.cloud.server, wrk: wrk, seconds: seconds, postgres: postgres)
        var found = try Case.all(bench.cloud, wrk).map {
            ($0.name, try meter.measure($0, connections: 32, rounds: rounds))
        }
        for (name, body) in [
            ("query: 50 by an indexed field", QueryBench.sorted), ("query: 50 by a word", QueryBench.searched),
        ] {
            try bench.waitForIndexes(of: body)
            let test = try bench.testCase(name, body, wrk, aim: .none)
            found.append((name, try meter.measure(test, connections: 32, rounds: rounds)))
        }
        return found
    }
}
