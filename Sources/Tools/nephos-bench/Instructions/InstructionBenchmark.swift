import Foundation
import NephosTesting

/// Prints the user-mode instructions of the server per request, of one program or of several side by side.
///
/// One connection, one request at a time, in a zone of 100,000 records. `docs/performance.md` has method and results, and
/// `Benchmarks/instructions.txt` the current table.
enum InstructionBenchmark {
    /// - Parameter arguments: `NAME=PROGRAM`, of release builds. Each row compares all programs with the last.
    static func run(_ arguments: [String]) {
        let programs = arguments.compactMap { NamedProgram($0) }
        guard !programs.isEmpty, programs.count == arguments.count else {
            print("usage: nephos-bench instructions NAME=PROGRAM...")
            exit(2)
        }
        do {
            let found = try programs.map { program in
                note("counting \(program.name)")
                return try count(program.path)
            }
            print(table(programs.map(\.name), found))
        } catch {
            print("\(error)")
            exit(1)
        }
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
        let found = try rows(client).map { row in
            var number = 0
            func send(_ times: Int) throws {
                for _ in 0..<times {
                    number += 1
                    let answer = try row.send(client, number)
                    guard answer.status == 200 else {
                        throw Wrk.Failure(
                            description: "\(row.name): \(answer.status) \(String(decoding: answer.body, as: UTF8.self))"
                        )
                    }
                }
            }
            // Warms up caches before counting begins.
            try send(max(row.count / 4, 4))
            let total = try counter.count(server) { try send(row.count) }
            note("  \(row.name): \(ServerBenchmark.whole(total / Double(row.count)))")
            return (row.name, total / Double(row.count))
        }
        try server.stop()
        return found
    }

    private static func table(_ names: [String], _ found: [[(name: String, instructions: Double)]]) -> String {
        guard let last = found.last else { return "" }
        let others = names.dropLast()
        var table = Table(["instructions for a request"] + names + others.map { "of \($0)" })
        for (index, row) in last.enumerated() {
            let ratios = found.dropLast().map { before in
                let percent = (row.instructions / before[index].instructions - 1) * 100
                return "\(percent >= 0 ? "+" : "−")\(ServerBenchmark.decimal(abs(percent))) %"
            }
            table.add([row.name] + found.map { ServerBenchmark.whole($0[index].instructions) } + ratios)
        }
        return table.text
    }

    /// Progress on standard error, separate from the table.
    private static func note(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Array("\(text)\n".utf8))
    }
}
