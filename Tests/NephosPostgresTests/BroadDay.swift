import NephosStorage
import NephosTesting
import StorageConformance

@testable import NephosPostgres

/// All storage promises, run once beside many other records: what an engine sends, and how PostgreSQL executes it.
struct BroadDay: Sendable {
    /// The server's log: the plan of each statement that it executed.
    let log: String
    /// Plans of the sent statements, regardless of their values.
    let plans: [StatementPlan]

    static let day = Task { try await BroadDay() }

    private init() async throws {
        let postgres = try PostgresServer(settings: [
            "shared_preload_libraries=auto_explain", "auto_explain.log_min_duration=0",
            "auto_explain.log_nested_statements=on", "auto_explain.log_level=log",
        ])
        let url = try postgres.createDatabase()
        let target = try ConnectionTarget(url: url, schema: "plans")
        let recording = CallRecording()
        let open: EngineOpening = {
            var options = PostgresOptions.ofTests
            options.recording = recording
            return try PostgresEngine(target, options: options)
        }
        try open().close()
        recording.forget()
        try postgres.sql(Self.neighbours, in: url)
        var sent: Set<String> = []
        for promise in StorageCase.all {
            try await promise.check(open)
            // Each promise creates the same container.
            let engine = try open()
            defer { engine.close() }
            for container in try engine.containers() { try engine.deleteContainer(container.id, at: 1) }
            sent.formUnion(recording.statements)
            recording.forget()
        }
        log = postgres.logText
        plans = try StatementPlan.all(of: sent.filter(Self.isOfRows).sorted(), on: try Connection(target))
    }

    private static func isOfRows(_ sql: String) -> Bool {
        ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"].contains { sql.hasPrefix($0) }
    }

    /// 100,000 records in 1,000 databases of another tenant, with all dependent rows, and statistics of them.
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
}
