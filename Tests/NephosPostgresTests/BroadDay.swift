import Foundation
import NephosStorage
import NephosTesting
import StorageConformance

@testable import NephosPostgres

/// All storage promises, checked once, beside many other records: whether the engine keeps them, what it sends, and how PostgreSQL
/// executes that.
struct BroadDay: Sendable {
    /// The plans of the executed statements in the server's log, each once, whatever its values and costs were.
    let log: String
    /// Plans of the sent statements, regardless of their values.
    let plans: [StatementPlan]
    /// Why the engine does not keep a promise, by its name.
    private let broken: [String: any Error]

    static let day = Task(executorPreference: OwnThreads(count: 4)) { try await BroadDay() }

    private init() async throws {
        let postgres = try PostgresServer(settings: [
            "shared_preload_libraries=auto_explain", "auto_explain.log_min_duration=0",
            "auto_explain.log_nested_statements=on", "auto_explain.log_level=log",
        ])
        // In two rows: while one waits for PostgreSQL, the other runs.
        async let odd = Half(1, on: postgres)
        async let even = Half(0, on: postgres)
        let halves = try await [odd, even]
        broken = halves.reduce(into: [:]) { all, half in all.merge(half.broken) { first, _ in first } }
        log = try Self.plans(in: postgres.log)
        let sent = Set(halves.flatMap(\.sent)).filter(Self.isOfRows).sorted()
        plans = try StatementPlan.all(of: sent, on: try Connection(halves[0].target))
    }

    /// - Throws: Why the engine does not keep a promise.
    func expectKept(_ promise: StorageCase) throws { if let fault = broken[promise.name] { throw fault } }

    private static func isOfRows(_ sql: String) -> Bool {
        ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"].contains { sql.hasPrefix($0) }
    }

    /// The system's awk takes a second for a log of hundreds of thousands of lines, and this process a minute.
    private static func plans(in log: String) throws -> String {
        let program = #"""
            function end() { if (plan != "" && !(plan in seen)) { seen[plan] = 1; printf "%s", plan } plan = "" }
            /duration:.*plan:/ { end(); plan = "duration: plan:\n"; next }
            /^\t/ { if (plan != "") { gsub(/'[^']*'/, "''"); gsub(/\(cost=[^)]*\)/, "(cost=)"); plan = plan $0 "\n" } next }
            { end() }
            END { end() }
            """#
        let folder = try TemporaryFolder(prefix: "nephos-plans")
        let (found, errors) = (folder.path + "/found", folder.path + "/errors")
        let awk = try ChildProcess("/usr/bin/env", ["awk", program, log], as: .caller, output: found, errors: errors)
        guard awk.wait() == .exited(0) else {
            throw SystemError("awk: \(String(decoding: try readFile(errors), as: UTF8.self))", code: EIO)
        }
        return String(decoding: try readFile(found), as: UTF8.self)
    }
}

/// Half of the promises, in a database of their own.
private struct Half: Sendable {
    let target: ConnectionTarget
    private(set) var sent: Set<String> = []
    private(set) var broken: [String: any Error] = [:]

    init(_ rest: Int, on postgres: PostgresServer) async throws {
        let url = try postgres.createDatabase()
        let target = try ConnectionTarget(url: url, schema: "plans")
        self.target = target
        let recording = CallRecording()
        let open: EngineOpening = {
            var options = PostgresOptions.ofTests
            options.recording = recording
            return try PostgresEngine(target, options: options)
        }
        try open().close()
        recording.forget()
        try postgres.sql(Self.neighbours, in: url)
        for (number, promise) in StorageCase.all.enumerated() where number % 2 == rest {
            do { try await promise.check(open) } catch { broken[promise.name] = error }
            // Each promise creates the same container.
            let engine = try open()
            defer { engine.close() }
            for container in try engine.containers() { try engine.deleteContainer(container.id, at: 1) }
            sent.formUnion(recording.statements)
            recording.forget()
        }
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
