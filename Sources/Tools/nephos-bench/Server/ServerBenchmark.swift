import NephosTesting

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Measures a release server under load from `wrk` and prints Markdown tables with aims and results.
///
/// Server processor time is that of the process's own accounting, because other load affects wall time a lot and processor time
/// little. `docs/performance.md` has method and results.
enum ServerBenchmark {
    private static let seconds = 3
    private static let rounds = 3

    private static let parts: [(name: String, run: @Sendable () throws -> Void)] = [
        ("requests", printRequests), ("queries", printQueries), ("neighbours", printNeighbours),
        ("writes", printIndexedWrites), ("building", printBuilding), ("empty", printEmpty), ("sqlite", printFloor),
        ("postgres", printPostgres), ("engines", printEngines), ("footprint", printFootprint),
        ("subscriptions", printSubscriptions), ("fanout", printFanOut), ("listeners", printListeners),
        ("parked", printParked), ("files", printFiles), ("bombs", printBombs), ("campaign", printCampaign),
        ("signins", printSignIns), ("trees", printTrees),
    ]

    static var partNames: String { parts.map(\.name).joined(separator: ", ") }

    /// Measures the named parts, or all; exits with 1 if something could not be measured.
    static func run(_ names: [String]) {
        do {
            for name in names.isEmpty ? parts.map(\.name) : names {
                guard let part = parts.first(where: { $0.name == name }) else {
                    throw Wrk.Failure(description: "there is no part \(name); the parts are \(partNames)")
                }
                try part.run()
            }
        } catch {
            print("\(error)")
            exit(1)
        }
    }

    private static func printRequests() throws {
        let allocations = try countAllocations()
        let cloud = try BenchCloud()
        try cloud.fill("Many", BenchCloud.lookups)
        let wrk = try Wrk()
        let meter = Meter(server: cloud.server, wrk: wrk, seconds: seconds)
        var table = Table([
            "request", "in, out", "conn.", "CPU", "echo", "above echo", "aim", "requests/s", "p50", "p99",
            "allocations", "echo", "aim",
        ])
        for (test, allocations) in zip(try Case.all(cloud, wrk), allocations) {
            let echo = try test.echo(wrk)
            for connections in [1, 32] {
                let own = try meter.measure(test, connections: connections, rounds: rounds)
                let floor = try meter.measure(echo, connections: connections, rounds: rounds)
                table.add([
                    test.name, "\(test.bytesIn), \(test.bytesOut) B", "\(connections)", µs(own.microseconds),
                    µs(floor.microseconds), µs(own.microseconds - floor.microseconds),
                    connections == 32 ? verdict(test.aim, own.microseconds, floor.microseconds) : "",
                    whole(own.perSecond), µs(Double(own.median)), µs(Double(own.percentile99)),
                    connections == 1 ? decimal(allocations.own) : "", connections == 1 ? decimal(allocations.echo) : "",
                    connections == 1 ? verdict(test.allocationAim, allocations.own, test.records) : "",
                ])
            }
        }
        print("### Requests\n\n\(table.text)")
    }

    private static func countAllocations() throws -> [(own: Double, echo: Double)] {
        let counter = try AllocationCounter()
        let cloud = try BenchCloud(environment: counter.environment)
        try cloud.fill("Many", BenchCloud.lookups)
        let wrk = try Wrk()
        let meter = Meter(server: cloud.server, wrk: wrk, seconds: seconds)
        return try Case.all(cloud, wrk).map {
            (try meter.allocations($0, counter), try meter.allocations($0.echo(wrk), counter))
        }
    }

    private static func printQueries() throws {
        let bench = try QueryBench()
        let wrk = try Wrk()
        let meter = Meter(server: bench.cloud.server, wrk: wrk, seconds: seconds)
        var table = Table(["query in 100,000 records", "CPU", "echo", "above echo", "aim", "requests/s", "p50", "p99"])
        let cases: [(String, String, Double)] = [
            ("50 by an indexed field", QueryBench.sorted, 200),
            ("2 % by a range, another sort", QueryBench.ranged, 2_000),
            ("2 % by a value, another sort", QueryBench.filtered, 250),
            ("50 by a word", QueryBench.searched, 300), ("about 50 near a place", QueryBench.near, 400),
        ]
        for (name, body, aim) in cases {
            try bench.waitForIndexes(of: body)
            let test = try bench.testCase(name, body, wrk, aim: .aboveEcho(aim))
            let own = try meter.measure(test, connections: 32, rounds: rounds)
            let floor = try meter.measure(test.echo(wrk), connections: 32, rounds: rounds)
            table.add([
                name, µs(own.microseconds), µs(floor.microseconds), µs(own.microseconds - floor.microseconds),
                verdict(test.aim, own.microseconds, floor.microseconds), whole(own.perSecond),
                µs(Double(own.median)), µs(Double(own.percentile99)),
            ])
        }
        print("### Queries\n\n\(table.text)")
    }

    /// Two servers alternate, so that other load affects both.
    private static func printNeighbours() throws {
        let wrk = try Wrk()
        let sides = try [1, 1_000].map { neighbours in
            let bench = try QueryBench()
            try bench.addNeighbours(neighbours)
            return (bench, Meter(server: bench.cloud.server, wrk: wrk, seconds: 1))
        }
        var table = Table(["query in 100,000 records", "with 1 other user", "with 1,000", "ratio", "aim"])
        for (name, body) in [("50 by an indexed field", QueryBench.sorted), ("50 by a word", QueryBench.searched)] {
            let tests = try sides.map { bench, _ in
                try bench.waitForIndexes(of: body)
                return try bench.testCase(name, body, wrk, aim: .none)
            }
            let pairs = try (0..<15).map { _ in
                try zip(sides, tests).map { try $0.1.measure($1, connections: 32, rounds: 1).microseconds }
            }
            let ratio = median(pairs.map { $0[1] / $0[0] })
            table.add([
                name, µs(median(pairs.map { $0[0] })), µs(median(pairs.map { $0[1] })),
                "\((ratio * 100).rounded() / 100)", verdict(ratio <= 1.2, "≤ 1.2"),
            ])
        }
        print("### Neighbours\n\n\(table.text)")
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    private static func printIndexedWrites() throws {
        var table = Table(["write", "indexes", "CPU", "above echo", "aim"])
        for (indexes, aim) in [(0, 60.0), (3, 95), (IndexedWrites.all, nil)] as [(Int, Double?)] {
            let cloud = try BenchCloud()
            try IndexedWrites.open(indexes, in: cloud)
            let wrk = try Wrk()
            let meter = Meter(server: cloud.server, wrk: wrk, seconds: seconds)
            for var test in try Case.all(cloud, wrk) where test.isFresh {
                test.aim =
                    test.records == 1 ? aim.map { .aboveEcho($0) } ?? .none : indexes == 3 ? .total(11_000) : .none
                let own = try meter.measure(test, connections: 32, rounds: rounds)
                let floor = try meter.measure(test.echo(wrk), connections: 32, rounds: rounds)
                table.add([
                    test.name, "\(indexes)", µs(own.microseconds), µs(own.microseconds - floor.microseconds),
                    verdict(test.aim, own.microseconds, floor.microseconds),
                ])
            }
        }
        print("### Writes with indexes\n\n\(table.text)")
    }

    private static func printBuilding() throws {
        let bench = try IndexBuilding()
        let found = try bench.run()
        var table = Table(["an index over \(whole(Double(IndexBuilding.records))) records", "found"])
        table.add(["time", "\(whole(found.seconds)) s"])
        table.add(["saves meanwhile", whole(Double(found.saves))])
        table.add(["saves meanwhile, p99", µs(found.percentile99)])
        table.add(["saves before, p99", µs(found.percentile99Before)])
        let chunks = try bench.chunks()
        table.add(["chunks, one after the other", whole(Double(chunks.microseconds.count))])
        table.add(["a chunk with its commit, median", µs(chunks.median)])
        table.add(["p99", µs(chunks.percentile99)])
        table.add(["the longest", µs(chunks.longest)])
        table.add(["longer than 10 ms", whole(Double(chunks.beyondAim))])
        print("### Building an index\n\n\(table.text)")
    }

    private static func printEmpty() throws {
        let server = try ServerProcess(["--bench"])
        let meter = Meter(server: server, wrk: try Wrk(), seconds: seconds)
        var table = Table(["empty route", "CPU", "requests/s"])
        for connections in [1, 32] {
            let found = try meter.measure(.empty, connections: connections, rounds: rounds)
            table.add(["\(connections) conn.", µs(found.microseconds), whole(found.perSecond)])
        }
        print("### An empty route\n\n\(table.text)")
    }

    private static func printFloor() throws {
        var table = Table(["SQLite alone", "a second", "CPU"])
        for rate in try SQLiteFloor().rates() { table.add([rate.name, whole(rate.perSecond), µs(rate.microseconds)]) }
        print("### SQLite's own rate\n\n\(table.text)")
    }

    private static func printPostgres() throws {
        #if Postgres
            var table = Table([
                "commit on PostgreSQL", "round trips", "time", "CPU here", "CPU there", "floor: time", "CPU here",
                "CPU there",
                "ratio of time", "of CPU", "aim",
            ])
            let floor = try PostgresFloor()
            for (rows, commits) in [(1, 2_000), (200, 100)] {
                let found = try floor.compare(rows: rows, commits: commits)
                let time = found.engine.microseconds / found.floor.microseconds
                let cpu =
                    (found.engine.clientCPU + found.engine.serverCPU) / (found.floor.clientCPU + found.floor.serverCPU)
                table.add([
                    "of \(rows) records", decimal(found.roundTrips), µs(found.engine.microseconds),
                    µs(found.engine.clientCPU), µs(found.engine.serverCPU), µs(found.floor.microseconds),
                    µs(found.floor.clientCPU), µs(found.floor.serverCPU), decimal(time), decimal(cpu),
                    verdict(time <= 2 && cpu <= 2, "≤ 2"),
                ])
            }
            print("### PostgreSQL and its floor\n\n\(table.text)")
        #endif
    }

    private static func printEngines() throws {
        var table = Table([
            "request, 32 conn.", "SQLite: CPU", "requests/s", "p50", "PostgreSQL: CPU here", "CPU there", "requests/s",
            "p50", "ratio of CPU",
        ])
        for row in try EngineComparison().rows() {
            let (one, other) = (row.onSQLite, row.onPostgres)
            let ratio = (other.microseconds + other.postgresMicroseconds) / one.microseconds
            table.add([
                row.name, µs(one.microseconds), whole(one.perSecond), µs(Double(one.median)), µs(other.microseconds),
                µs(other.postgresMicroseconds), whole(other.perSecond), µs(Double(other.median)), decimal(ratio),
            ])
        }
        print("### Both engines\n\n\(table.text)")
    }

    private static func printFootprint() throws {
        var table = Table(["footprint", "found", "aim"])
        let idle = try Footprint.idle()
        table.add(["memory of an idle server", "\(whole(idle)) MB", verdict(idle <= 60, "≤ 60 MB")])
        let first = try Footprint.firstAnswer(records: 100_000)
        table.add([
            "start to first answer, 100,000 records", "\(whole(first * 1e3)) ms", verdict(first <= 0.3, "≤ 300 ms"),
        ])
        table.add(["memory with 1,000 idle containers", "\(whole(try Footprint.manyContainers(1_000))) MB", ""])
        print("### Footprint\n\n\(table.text)")
    }

    private static func printTrees() throws {
        let postgres = try PostgresServer()
        for (engine, server) in [("SQLite", nil), ("PostgreSQL", postgres)] as [(String, PostgresServer?)] {
            var table = Table([
                "meanwhile", "response", "until its end", "saves of another", "median", "p99", "the longest",
            ])
            for row in try ShareTrees(on: server).run([10, 1_000, 100_000]) {
                table.add([
                    row.what, "\(decimal(row.response)) ms", row.end.map { "\(whole($0)) ms" } ?? "",
                    whole(Double(row.waits.count)), "\(decimal(row.waits.median)) ms",
                    "\(decimal(row.waits.percentile99)) ms", "\(decimal(row.waits.longest)) ms",
                ])
            }
            print("### Trees of records in shares, on \(engine)\n\n\(table.text)")
        }
    }

    private static func printCampaign() throws {
        for kind in Campaign.Kind.allCases {
            let found = try Campaign(kind)
            let result = found.result
            var table = Table(["a campaign's first minute, \(kind.rawValue)", "found", "aim"])
            table.add([
                "requests, each from another device", whole(Double(result.requests)),
                verdict(result.requests >= Campaign.devices, "≥ 100,000"),
            ])
            table.add(["connections", whole(Double(Campaign.connections)), ""])
            table.add(["time", "\(decimal(Double(result.microseconds) / 1e6)) s", ""])
            table.add(["requests/s", whole(result.perSecond), ""])
            table.add(["p50", µs(Double(result.median)), ""])
            table.add(["p99", µs(Double(result.percentile99)), ""])
            table.add(["refused or not answered", "\(result.failures)", verdict(result.failures == 0, "0")])
            table.add(["processor time of the server for a request", µs(found.microseconds), ""])
            table.add(["counted devices", whole(Double(found.counted)), ""])
            print("### A campaign, \(kind.rawValue)\n\n\(table.text)")
        }
    }

    private static func printSignIns() throws {
        let found = try SignInLoad()
        var table = Table(["lookups, 8 connections", "requests/s", "p50", "p99", "failed"])
        let loads = [
            ("without sign-ins", found.without),
            ("with \(whole(Double(SignInLoad.perMinute))) attempts per minute", found.with),
        ]
        for (name, result) in loads {
            table.add([
                name, whole(result.perSecond), µs(Double(result.median)), µs(Double(result.percentile99)),
                "\(result.failures)",
            ])
        }
        let attempts = found.attempts
        print(
            """
            ### Signing in

            \(table.text)
            Of the attempts, \(attempts.answered) were answered, \(attempts.throttled) were asked to try again, and \
            \(attempts.failed) failed.
            """)
    }

    // MARK: Text

    static func verdict(_ isMet: Bool, _ aim: String) -> String { "\(aim) \(isMet ? "✓" : "**missed**")" }

    private static func verdict(_ aim: Case.Aim, _ found: Double, _ echo: Double) -> String {
        switch aim {
        case .none: ""
        case .total(let most): verdict(found <= most, "≤ \(µs(most))")
        case .aboveEcho(let most): verdict(found - echo <= most, "≤ echo + \(µs(most))")
        }
    }

    private static func verdict(_ aim: Case.AllocationAim, _ found: Double, _ records: Double) -> String {
        switch aim {
        case .none: ""
        case .perRequest(let most): verdict(found <= most, "≤ \(whole(most))")
        case .perRecord(let most): verdict(found / records <= most, "≤ \(whole(most)) a record")
        }
    }

    static func µs(_ value: Double) -> String { "\(whole(value)) µs" }

    static func decimal(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

    /// With commas as thousands separators.
    static func whole(_ value: Double) -> String {
        var digits = "\(Int(value.rounded().magnitude))"
        var groups: [String] = []
        while digits.count > 3 {
            groups.insert(String(digits.suffix(3)), at: 0)
            digits.removeLast(3)
        }
        return (value <= -0.5 ? "−" : "") + ([digits] + groups).joined(separator: ",")
    }
}
