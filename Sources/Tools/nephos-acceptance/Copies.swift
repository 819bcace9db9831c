import CopyTesting
import Foundation
import NephosTesting

/// `nephos-acceptance copy`: a store of 100,000 records with files is copied into another engine's and back, by a command that is
/// killed again and again.
///
/// Set by environment variables: `NEPHOS_COPY_RECORDS`, `NEPHOS_COPY_FILES`, `NEPHOS_COPY_KILLS`.
enum Copies {
    /// - Returns: Whether nothing was found.
    static func run(note: @escaping @Sendable (String) -> Void) throws -> Bool {
        var run = CopyRun()
        run.records = number("NEPHOS_COPY_RECORDS") ?? 100_000
        run.files = number("NEPHOS_COPY_FILES") ?? 2_000
        run.kills = number("NEPHOS_COPY_KILLS") ?? 10
        let report = try run.run(from: TestEngine.chosen, progress: note)
        for fault in report.faults.prefix(20) { note(fault) }
        print(report.lines.joined(separator: "\n"))
        print("Faults: \(report.faults.count).")
        return report.faults.isEmpty
    }

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }
}
