import Foundation
import NephosTesting

/// The committed table of instructions, and how far a build may be above it.
struct InstructionGate {
    /// The rows that are compared: one of each path on which nearly all requests are, counted within a few minutes.
    static let rows = [
        "echo of 900 bytes", "/healthz", "lookup of 1 record", "changes with nothing new", "changes page of 200",
        "create of 1 record, 10 fields",
    ]
    /// The counts of the smallest requests repeat less exactly.
    private static let small: Set = ["echo of 900 bytes", "/healthz"]

    private let file: String
    private let committed: [String: Double]

    /// - Parameter file: A table as `scripts/bench instructions` prints it; the count is in its last column.
    init(file: String) throws {
        var committed: [String: Double] = [:]
        for line in String(decoding: try readFile(file), as: UTF8.self).split(separator: "\n") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count >= 2, let count = cells.last.flatMap({ Double($0.replacing(",", with: "")) }) else {
                continue
            }
            committed[cells[0]] = count
        }
        (self.file, self.committed) = (file, committed)
    }

    /// - Returns: A table of the differences, and whether one of them is not acceptable.
    /// - Throws: ``Wrk/Failure`` if a row was not counted, or the committed table lacks it.
    func compare(_ found: [(name: String, instructions: Double)]) throws -> (text: String, fails: Bool) {
        for name in Self.rows where !found.contains(where: { $0.name == name }) {
            throw Wrk.Failure(description: "the benchmark has no row \(name)")
        }
        var table = Table(["instructions for a request", "committed", "now", "difference", ""])
        var (isAbove, isBelow, fails) = (false, false, false)
        for (name, now) in found {
            guard let before = committed[name] else {
                throw Wrk.Failure(description: "\(file) has no row \(name)")
            }
            let limits = Self.small.contains(name) ? (notice: 1.03, failure: 1.06) : (notice: 1.02, failure: 1.04)
            let verdict =
                now > before * limits.failure
                ? "too many"
                : now > before * limits.notice ? "more" : now < before * (2 - limits.failure) ? "fewer" : ""
            if verdict == "too many" { fails = true }
            if verdict == "more" { isAbove = true }
            if verdict == "fewer" { isBelow = true }
            table.add([
                name, ServerBenchmark.whole(before), ServerBenchmark.whole(now),
                InstructionBenchmark.percent(now, of: before), verdict,
            ])
        }
        var text = table.text
        if fails {
            text += """
                \nRequests cost more than \(file) permits. Find the commit with: scripts/bench instructions \
                --against COMMIT. If the cost has a reason, put the table of scripts/bench instructions there in the same commit, \
                and the reason in its message.
                """
        } else if isAbove {
            text += "\nSome requests cost more than in \(file), within what the gate permits."
        }
        if isBelow {
            text += "\nSome requests cost less: put the table of scripts/bench instructions there, so that it stays so."
        }
        return (text, fails)
    }
}
