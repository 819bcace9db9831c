import NephosTesting
import Synchronization

/// The result of a run.
package struct FollowReport: Sendable {
    /// A table with a row for each device.
    package let table: String
    package internal(set) var summary = ""
    /// The faults, one per line.
    package internal(set) var faults: [String] = []

    init(_ followers: [Follower], _ models: [Replica]) {
        var rows = [
            [
                "device", "way", "to be told", "notifications", "merged", "repeated", "fetches", "connections",
                "longest lag", "result",
            ]
        ]
        for follower in followers {
            let copy = follower.copy.withLock { $0 }
            let differences = copy.replica.differences(from: models[follower.person])
            rows.append(Self.row(follower, copy.tally, isEqual: differences.isEmpty))
            faults += differences.map { "\(follower.name) by \(follower.way.rawValue): \($0)" }
            if let fault = follower.fault.withLock({ $0 }) { faults.append("\(follower.name): \(fault)") }
        }
        table = TextTable.text(of: rows, left: Set(rows[0].indices))
    }

    private static func row(_ follower: Follower, _ tally: Tally, isEqual: Bool) -> [String] {
        let isTold = follower.way != .plain
        let merged = max(tally.expected - tally.notifications + tally.repeated, 0)
        let counts = [tally.expected, tally.notifications, merged, tally.repeated].map { isTold ? "\($0)" : "-" }
        return [follower.name, follower.way.rawValue] + counts + [
            "\(tally.fetches)", isTold ? "\(tally.connections)" : "-",
            "\(Int(tally.longestLag / .milliseconds(1))) ms", isEqual ? "equal" : "DIFFERENT",
        ]
    }
}
