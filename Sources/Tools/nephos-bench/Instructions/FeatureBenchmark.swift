import Foundation
import NephosTesting

/// Prints the user-mode instructions that constraints and flags add to a request on a server. docs/performance.md has method and
/// results.
enum FeatureBenchmark {
    /// - Parameter arguments: A release build, and optionally a word: then only rows with that word in their names are measured,
    ///   and the rows that they are compared with.
    static func run(_ arguments: [String]) {
        guard let program = arguments.first, arguments.count <= 2 else {
            print("usage: nephos-bench features PROGRAM [WORD]")
            exit(2)
        }
        do {
            print(
                try table(
                    count(
                        InstructionCounter(program: program), FeatureRequests.rows(about: arguments.dropFirst().first)))
            )
        } catch {
            print("\(error)")
            exit(1)
        }
    }

    /// Rows that are compared alternate, because a save costs more the more records there are.
    private static let turns = 25

    private static func count(
        _ counter: InstructionCounter, _ together: [[FeatureRequests.Row]]
    ) throws -> [(row: FeatureRequests.Row, count: Double)] {
        let requests = try FeatureRequests(program: counter.program)
        let server = try ServerProcess(
            ["--quiet", "--public-url", PeopleRequests.site, "--trusted-proxy", "none"],
            environment: counter.environment, executable: counter.program, store: requests.store)
        let clients = requests.clients(server)
        try counter.begin(server)
        var found: [(row: FeatureRequests.Row, count: Double)] = []
        var numbers: [String: Int] = [:]
        func send(_ row: FeatureRequests.Row, _ times: Int) throws {
            for _ in 0..<times {
                numbers[row.name, default: 0] += 1
                let answer = try row.send(clients, numbers[row.name] ?? 0)
                guard [200, 304].contains(answer.status) else {
                    throw Wrk.Failure(
                        description: "\(row.name): \(answer.status) \(String(decoding: answer.body, as: UTF8.self))")
                }
            }
        }
        for rows in together {
            // Warms up caches before counting begins, except if that is what the row measures.
            for row in rows where row.count > 1 { try send(row, max(row.count / 4, 4)) }
            let turns = rows.count == 1 ? 1 : turns
            var totals = Array(repeating: 0.0, count: rows.count)
            for _ in 0..<turns {
                for (place, row) in rows.enumerated() {
                    var seconds = 0.0
                    totals[place] += try counter.count(server) {
                        let began = ContinuousClock.now
                        try send(row, row.count / turns)
                        seconds = (.now - began) / .seconds(1)
                    }
                    if row.isLong { totals[place] -= try idle(counter, server) * seconds }
                }
            }
            for (row, total) in zip(rows, totals) {
                found.append((row, total / Double(row.count)))
                try? FileHandle.standardError.write(
                    contentsOf: Array("  \(row.name): \(ServerBenchmark.whole(total / Double(row.count)))\n".utf8))
            }
        }
        try server.stop()
        return found
    }

    /// Instructions per second of an idle server.
    private static func idle(_ counter: InstructionCounter, _ server: ServerProcess) throws -> Double {
        let seconds = 60.0
        return try counter.count(server) { Thread.sleep(forTimeInterval: seconds) } / seconds
    }

    private static func table(_ found: [(row: FeatureRequests.Row, count: Double)]) -> String {
        var table = Table(["instructions for a request", "now", "of", "times", "at most"])
        for (row, count) in found {
            let other = row.aim.flatMap { aim in found.first { $0.row.name == aim.of } }
            table.add([
                row.name, ServerBenchmark.whole(count), other?.row.name ?? "",
                other.map { String(format: "%.3f", count / $0.count) } ?? "",
                row.aim.map { "\($0.ratio)" } ?? "",
            ])
        }
        let counts = Dictionary(found.map { ($0.row.name, $0.count) }) { first, _ in first }
        let each =
            ((counts["10,000 flags"] ?? 0) - (counts["50 flags"] ?? 0))
            / Double(FeatureRequests.many - FeatureRequests.some)
        return table.text + "\nOne more flag, evaluated and written: \(ServerBenchmark.whole(each))"
    }
}
