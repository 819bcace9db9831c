import Foundation
import NephosTesting

/// Prints the user-mode instructions of the server per request, of one program or of several side by side, or compares those of one
/// program with the committed table.
///
/// One connection, one request at a time, in a zone of 100,000 records; of each row the lower of two counts. `docs/performance.md` has
/// method and results, and `Benchmarks/instructions.txt` the current table.
enum InstructionBenchmark {
    /// - Parameter arguments: `NAME=PROGRAM`, of release builds. Each row compares all programs with the last. Or `--gate`, the file of
    ///   the committed table, and one program.
    static func run(_ arguments: [String]) {
        do {
            if arguments.first == "--gate", arguments.count == 3 {
                try compare(program: arguments[2], with: InstructionGate(file: arguments[1]))
            } else {
                let programs = arguments.compactMap { NamedProgram($0) }
                guard !programs.isEmpty, programs.count == arguments.count else {
                    print("usage: nephos-bench instructions NAME=PROGRAM... | instructions --gate TABLE PROGRAM")
                    exit(2)
                }
                let found = try programs.map { program in
                    note("counting \(program.name)")
                    return try count(program.path)
                }
                print(table(programs.map(\.name), found))
            }
        } catch {
            print("\(error)")
            exit(1)
        }
    }

    /// Exits with 1 if a row is above the gate.
    private static func compare(program: String, with gate: InstructionGate) throws {
        let counter = try InstructionCounter(program: program)
        let requests = try CountedRequests(program: counter.program)
        let found = try count(requests, counter) {
            try requests.rows($0).filter { InstructionGate.rows.contains($0.name) }
        }
        let result = try gate.compare(found)
        print(result.text)
        if result.fails { exit(1) }
    }

    private static func count(_ program: String) throws -> [(name: String, instructions: Double)] {
        let counter = try InstructionCounter(program: program)
        let requests = try CountedRequests(program: counter.program)
        let found = try count(requests, counter) { try requests.rows($0) }
        // Building an index takes long under callgrind, and it would slow down saves: so it is done after them, without counting.
        try requests.buildIndex(program: counter.program)
        return try found + count(requests, counter) { _ in [CountedRequests.query] }
    }

    private static func count(
        _ requests: CountedRequests, _ counter: InstructionCounter,
        _ rows: (CloudKitClient) throws -> [CountedRequests.Row]
    ) throws -> [(name: String, instructions: Double)] {
        let server = try ServerProcess(
            ["--bench", "--quiet"], environment: counter.environment, executable: counter.program, store: requests.store
        )
        let client = requests.client(server)
        try counter.begin(server)
        let rows = try rows(client)
        var numbers: [String: Int] = [:]
        func send(_ row: CountedRequests.Row, _ times: Int) throws {
            for _ in 0..<times {
                numbers[row.name, default: 0] += 1
                let answer = try row.send(client, numbers[row.name] ?? 0)
                guard answer.status == 200 else {
                    throw Wrk.Failure(
                        description: "\(row.name): \(answer.status) \(String(decoding: answer.body, as: UTF8.self))")
                }
            }
        }
        func counts() throws -> [Double] {
            try rows.map { row in
                try row.prepare?(client)
                // Warms up caches before counting begins.
                try send(row, max(row.count / 4, 4))
                let total = try counter.count(server) { try send(row, row.count) }
                note("  \(row.name): \(ServerBenchmark.whole(total / Double(row.count)))")
                return total / Double(row.count)
            }
        }
        // Twice, with all other rows in between: what the server does by itself meanwhile is hardly counted with a row both times.
        let lower = try zip(counts(), counts()).map(min)
        try server.stop()
        return zip(rows, lower).map { ($0.name, $1) }
    }

    static func percent(_ now: Double, of before: Double) -> String {
        let percent = (now / before - 1) * 100
        return "\(percent >= 0 ? "+" : "−")\(ServerBenchmark.decimal(abs(percent))) %"
    }

    private static func table(_ names: [String], _ found: [[(name: String, instructions: Double)]]) -> String {
        guard let last = found.last else { return "" }
        let others = names.dropLast()
        var table = Table(["instructions for a request"] + names + others.map { "of \($0)" })
        for (index, row) in last.enumerated() {
            let ratios = found.dropLast().map { percent(row.instructions, of: $0[index].instructions) }
            table.add([row.name] + found.map { ServerBenchmark.whole($0[index].instructions) } + ratios)
        }
        return table.text
    }

    /// Progress on standard error, separate from the table.
    private static func note(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Array("\(text)\n".utf8))
    }
}
