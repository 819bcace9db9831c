import NephosStorage
import StorageConformance
import Synchronization

/// Runs each case in separate schemas and prints a table. - Returns: The number of broken cases.
func runCases(_ cases: [StorageCase], _ conninfo: String) async -> Int {
    var broken = 0
    var table = Table([
        "case", "result", "ms", "commits", "round trips", "decisions", "catalog moved", "locks added",
    ])
    for (number, promise) in cases.enumerated() {
        Measures.now.withLock { $0 = Measures() }
        let start = ContinuousClock.now
        var result = "kept"
        do {
            try await promise.check { PostgresEngine(conninfo, place: "case_\(number)") }
        } catch {
            broken += 1
            result = "BROKEN: \(error)"
        }
        let took = Int((ContinuousClock.now - start) / .milliseconds(1))
        let cost = Measures.now.withLock { $0 }
        table.add([
            promise.name, result, "\(took)", "\(cost.commits)", Table.ratio(cost.roundTrips, cost.commits),
            Table.ratio(cost.decisions, cost.commits), "\(cost.catalogMoved)", "\(cost.moreLocks)",
        ])
    }
    table.print()
    print("\(cases.count - broken) of \(cases.count) kept; round trips and decisions are for each commit")
    return broken
}
