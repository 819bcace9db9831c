import Testing

/// How PostgreSQL executes the engine's statements: docs/decisions/0005, "The planner is told".
@Suite struct PlanTests {
    @Test("No statement scans a whole table or index, except the list of containers")
    func indexesOnly() async throws {
        let plans = Plan.all(in: try await BroadDay.day.value.log).filter { $0.isOurs }
        #expect(Set(plans.map(\.query)).count > 60, "\(plans.count) plans were logged")
        let whole = plans.filter { !$0.readsByKey }
        #expect(whole.isEmpty, "\(whole.first.map { "\($0.query)\n\($0.nodes.joined(separator: "\n"))" } ?? "")")
    }
}

/// One plan in the server's log.
private struct Plan {
    var query: String
    /// The lines of the plan.
    var nodes: [String]

    /// Statements of the engine with values; the list of containers and migrations have none. At its start a server also asks
    /// PostgreSQL's own catalog whose its tables are.
    var isOurs: Bool {
        query.contains("$1") && !query.contains(" containers AS t")
            && !["pg_tables", "pg_namespace"].contains { query.contains($0) }
    }

    /// Every table is read through an index, and every index is searched by a key.
    var readsByKey: Bool {
        if nodes.contains(where: { $0.contains("Seq Scan on") }) { return false }
        return nodes.indices.filter { Self.isIndexNode(nodes[$0]) }.allSatisfy { start in
            let details = nodes[(start + 1)...].prefix { !$0.contains("->") }
            return details.contains { $0.contains("Index Cond:") }
        }
    }

    private static func isIndexNode(_ line: String) -> Bool {
        ["Index Scan using", "Index Only Scan using", "Bitmap Index Scan on", "Index Scan Backward using"].contains {
            line.contains($0)
        }
    }

    static func all(in log: String) -> [Plan] {
        var plans: [Plan] = []
        var isInPlan = false
        for line in log.split(separator: "\n") {
            if line.contains("duration:"), line.contains("plan:") {
                plans.append(Plan(query: "", nodes: []))
                isInPlan = true
            } else if line.first != "\t" {
                isInPlan = false
            } else if isInPlan, let last = plans.indices.last {
                if line.contains("cost=") || !plans[last].nodes.isEmpty {
                    plans[last].nodes.append(String(line))
                } else {
                    plans[last].query += line
                }
            }
        }
        return plans
    }
}
