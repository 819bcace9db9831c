import NephosPostgres
import NephosStorage
import NephosTesting
import StorageConformance
import Testing

/// How PostgreSQL carries out what the engine sends: docs/decisions/0005, "The planner is told".
@Suite struct PlanTests {
    /// 100,000 records of 1,000 databases of another tenant, with all that hangs on them, and statistics of them.
    private static let neighbours = """
        SET search_path = plans;
        INSERT INTO heads (db, kind, seq, last_record_no, last_zone_no, last_time, purged_seq, watchers, records,
                record_bytes, tombstones, refs, events, zones, live_zones, cascades, index_version, trash, checksum)
            SELECT (999999::bigint << 40) + d, 1, 200, 100, 1, 0, 0, 0, 100, 0, 100, 100, 0, 1, 1, 0, 1, 100, 0
            FROM generate_series(1, 1000) AS d;
        INSERT INTO zones (db, zone_no, name, state, created_seq, changed_seq, purged_seq, created_at, deleted_at,
                checksum)
            SELECT (999999::bigint << 40) + d, z, 'zone' || z::text::bytea, CASE z WHEN 1 THEN 0 ELSE 2 END, 1, z, 0, 0, 0, 0
            FROM generate_series(1, 1000) AS d, generate_series(1, 3) AS z;
        INSERT INTO records (db, record_no, zone_no, name, seq, tag_seq, type, created_at, created_by, modified_at,
                modified_by, flags, fields_epoch, ref_count, size, checksum, fields)
            SELECT (999999::bigint << 40) + d, r, 1, ('r' || r)::bytea, r, r, 1, 0, '\\x00', 0, '\\x00', 0, 0, 1, 100, 0, '{}'
            FROM generate_series(1, 1000) AS d, generate_series(1, 100) AS r;
        INSERT INTO tombstones (db, zone_no, seq, name, type, deleted_at, checksum)
            SELECT db, 1, seq + 100, ('t' || record_no)::bytea, 1, 9000000000000 + record_no, 0 FROM records;
        INSERT INTO refs (db, zone_no, target, kind, record_no, checksum)
            SELECT db, 1, 'r1', 0, record_no, 0 FROM records;
        INSERT INTO index_rows (db, zone_no, index_no, key, record_no)
            SELECT db, 1, 1, ('k' || record_no)::bytea, record_no FROM records;
        INSERT INTO trash (db, record_no, zone_no, name, seq, tag_seq, type, created_at, created_by, modified_at,
                modified_by, flags, fields_epoch, ref_count, size, deleted_at, checksum, fields)
            SELECT db, record_no + 1000, 1, name, seq, tag_seq, 1, 0, '\\x00', 0, '\\x00', 0, 0, 0, 100,
                9000000000000 + record_no, 0, '{}'
            FROM records WHERE record_no <= 20;
        ANALYZE;
        """

    @Test("No statement reads a table or an index as a whole, but the list of containers")
    func indexesOnly() async throws {
        let postgres = try PostgresServer(settings: [
            "shared_preload_libraries=auto_explain", "auto_explain.log_min_duration=0",
            "auto_explain.log_nested_statements=on", "auto_explain.log_level=log",
        ])
        let url = try postgres.makeDatabase()
        let open: EngineOpening = { try PostgresEngine(ConnectionTarget(url: url, schema: "plans"), options: .ofTests) }
        try open().close()
        try postgres.sql(Self.neighbours, in: url)
        for promise in StorageCase.all {
            try await promise.check(open)
            // Each promise makes the same container.
            let engine = try open()
            defer { engine.close() }
            for container in try engine.containers() { try engine.deleteContainer(container.id, at: 1) }
        }

        let plans = Plan.all(in: postgres.logText).filter { $0.isOurs }
        #expect(Set(plans.map(\.query)).count > 60, "\(plans.count) plans were logged")
        let whole = plans.filter { !$0.readsByKey }
        #expect(whole.isEmpty, "\(whole.first.map { "\($0.query)\n\($0.nodes.joined(separator: "\n"))" } ?? "")")
    }
}

/// One plan of the server's log.
private struct Plan {
    var query: String
    /// The lines of the plan.
    var nodes: [String]

    /// Statements of the engine that carry values; the list of containers and what migrations do have none.
    var isOurs: Bool { query.contains("$1") && !query.contains("pg_tables") }

    /// Every table is read through an index, and every index from a key on.
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
