import Testing

@testable import NephosPostgres

/// The requirements of a distributed PostgreSQL on statements (docs/scaling.md): each names one database as a value, `db = $n`, so
/// that one node executes it alone.
@Suite struct OneDatabaseTests {
    @Test("Each statement concerns one database, and those that span several only read")
    func statements() async throws {
        let plans = try await BroadDay.day.value.plans
        #expect(plans.count > 100, "\(plans.count) statements were sent")
        let across = plans.filter { !$0.faults.isEmpty }
        for plan in across where !AcrossDatabases.list.contains(where: { $0.covers(plan) }) {
            let does = plan.isWriting ? "writes" : "reads"
            Issue.record("\(does) across databases: \(plan.sql.oneLine)\n\(plan.faults.joined(separator: "\n"))")
        }
    }

    @Test("The list of exceptions has only statements that need one", arguments: AcrossDatabases.list)
    func list(_ entry: AcrossDatabases) async throws {
        let plans = try await BroadDay.day.value.plans
        #expect(plans.contains { !$0.faults.isEmpty && entry.covers($0) })
    }

    @Test("Statements across databases, and values from outside the database, are detected")
    func faults() throws {
        let schema = try Schema()
        let connection = try Connection(schema.target)
        for (sql, part) in [
            ("SELECT seq FROM heads WHERE db = ANY($1::bigint[])", "ANY"),
            ("SELECT seq FROM heads WHERE db >= $1 AND db < $1 + 1", ">="),
            ("SELECT seq FROM heads WHERE db = $1 OR db = $2", "heads"),
            ("SELECT h.seq FROM unnest($1::bigint[]) AS k (db) JOIN heads AS h ON h.db = k.db", "heads"),
            ("SELECT seq FROM heads WHERE db = (SELECT db FROM zones WHERE db = $1 LIMIT 1)", "heads"),
            ("SELECT z.name FROM heads AS h JOIN zones AS z ON z.db = $2 WHERE h.db = $1", "several"),
            ("INSERT INTO indexes SELECT * FROM unnest($1::bigint[]) AS n (db)", "inserts"),
            ("UPDATE heads SET seq = 1 WHERE ctid = ANY (ARRAY(SELECT ctid FROM heads WHERE db = $1))", "Tid"),
        ] {
            let plan = try #require(try StatementPlan.all(of: [sql], on: connection).first)
            #expect(plan.faults.joined().contains(part), "\(sql): \(plan.faults)")
        }
        let fit = [
            "SELECT z.name FROM heads AS h JOIN zones AS z ON z.db = h.db WHERE h.db = $1 FOR UPDATE OF h",
            "INSERT INTO cascades SELECT h.db, n.* FROM heads AS h, unnest($2::bigint[]) AS n WHERE h.db = $1",
        ]
        #expect(try StatementPlan.all(of: fit, on: connection).allSatisfy { $0.faults.isEmpty && $0.isWriting })
    }
}
