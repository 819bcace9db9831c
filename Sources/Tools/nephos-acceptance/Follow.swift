import FollowTesting
import Foundation

/// `nephos-acceptance follow`: devices follow each other through 10,000 random changes by means of notifications.
///
/// Configured by environment variables: `SEED`, `NEPHOS_FOLLOW_CHANGES`, `NEPHOS_FOLLOW_CUTS`, `NEPHOS_FOLLOW_RESTARTS`.
enum Follow {
    /// - Returns: Whether there were no findings.
    static func run(note: @escaping @Sendable (String) -> Void) throws -> Bool {
        var run = FollowRun()
        run.changes = number("NEPHOS_FOLLOW_CHANGES") ?? 10_000
        run.cuts = number("NEPHOS_FOLLOW_CUTS") ?? 50
        run.restarts = number("NEPHOS_FOLLOW_RESTARTS") ?? 5
        run.seed = number("SEED") ?? 1
        let report = try run.run(progress: note)
        for fault in report.faults.prefix(20) { note(fault) }
        print("\(report.table)\n\(report.summary) Faults: \(report.faults.count).")
        return report.faults.isEmpty
    }

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }
}
