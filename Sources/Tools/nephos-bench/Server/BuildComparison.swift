import Foundation
import NephosTesting

/// Compares the cost of requests in two builds of the server: allocations, and processor time on each engine.
///
/// Servers of both builds run at the same time and alternate, one second each for every case, so that other load affects both; the
/// result for processor time is the median of the ratios.
enum BuildComparison {
    private static let turns = 15

    /// - Parameter arguments: `NAME=PROGRAM` of the earlier and of the current build, release builds.
    static func run(_ arguments: [String]) {
        let programs = arguments.compactMap { NamedProgram($0) }
        guard programs.count == 2, arguments.count == 2 else {
            print("usage: nephos-bench against NAME=PROGRAM NAME=PROGRAM")
            exit(2)
        }
        do {
            print("### Allocations\n\n\(try allocations(programs))")
            #if Postgres
                let stores = [("SQLite", false), ("PostgreSQL", true)]
            #else
                let stores = [("SQLite", false)]
            #endif
            for (name, isPostgres) in stores {
                print("### Processor time on \(name)\n\n\(try processorTime(programs, isPostgres: isPostgres))")
            }
        } catch {
            print("\(error)")
            exit(1)
        }
    }

    private static func allocations(_ programs: [NamedProgram]) throws -> String {
        let counted = try programs.map { program in
            let counter = try AllocationCounter()
            let cloud = try BenchCloud(environment: counter.environment, program: program.path)
            try cloud.fill("Many", BenchCloud.lookups)
            let wrk = try Wrk()
            let meter = Meter(server: cloud.server, wrk: wrk, seconds: 3)
            return try Case.all(cloud, wrk).map { (name: $0.name, count: try meter.allocations($0, counter)) }
        }
        var table = Table(["allocations for a request"] + programs.map(\.name) + ["of \(programs[0].name)"])
        for (before, now) in zip(counted[0], counted[1]) {
            table.add([
                now.name, ServerBenchmark.decimal(before.count), ServerBenchmark.decimal(now.count),
                change(now.count / before.count),
            ])
        }
        return table.text
    }

    private static func processorTime(_ programs: [NamedProgram], isPostgres: Bool) throws -> String {
        let sides = try programs.map { try Side($0, isPostgres: isPostgres) }
        var table = Table(["request, 32 conn."] + programs.map(\.name) + ["ratio", "from", "to"])
        for (index, name) in sides[0].cases.map(\.name).enumerated() {
            let pairs = try (0..<turns).map { turn in try sides.map { try $0.measure(index, turn) } }
            let ratios = pairs.map { $0[1] / $0[0] }.sorted()
            table.add(
                [name] + (0...1).map { side in ServerBenchmark.µs(pairs.map { $0[side] }.sorted()[turns / 2]) }
                    + [ratios[turns / 2], ratios[turns / 4], ratios[turns - 1 - turns / 4]].map(change))
        }
        return table.text
    }

    private static func change(_ ratio: Double) -> String {
        "\(ratio >= 1 ? "+" : "−")\(ServerBenchmark.decimal(abs(ratio - 1) * 100)) %"
    }

    /// A build and its server.
    private struct Side {
        let cases: [Case]
        private let cloud: BenchCloud
        private let meter: Meter

        init(_ program: NamedProgram, isPostgres: Bool) throws {
            // Each side has its own, because bodies that contain tokens are files in it.
            let wrk = try Wrk()
            let postgres = isPostgres ? try PostgresServer() : nil
            let store = try postgres.map { ["NEPHOS_STORE": try $0.createDatabase()] } ?? [:]
            cloud = try BenchCloud(environment: store, program: program.path)
            try cloud.fill("Many", BenchCloud.lookups)
            cases = try Case.all(cloud, wrk)
            meter = Meter(server: cloud.server, wrk: wrk, seconds: 1, postgres: postgres)
        }

        /// Microseconds per request in one turn, including PostgreSQL's.
        func measure(_ index: Int, _ turn: Int) throws -> Double {
            let found = try meter.measure(cases[index], connections: 32, rounds: 1, label: "t\(turn)-")
            return found.microseconds + found.postgresMicroseconds
        }
    }
}

/// A build of the server with the name shown in tables.
struct NamedProgram {
    var name: String
    var path: String

    /// - Parameter argument: `NAME=PROGRAM`.
    init?(_ argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        (name, path) = (String(parts[0]), String(parts[1]))
    }
}
