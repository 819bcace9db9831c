import CSQLite
import NephosTesting

/// The performance of SQLite alone on this machine, with one connection, 800-byte rows and synchronous=FULL: nothing built on it
/// can be faster without combining commits.
struct SQLiteFloor {
    /// An error of SQLite.
    struct Failure: Error, CustomStringConvertible { var description: String }

    /// One kind of work: operations per second, and processor microseconds for each.
    struct Rate {
        var name: String
        var perSecond: Double
        var microseconds: Double
    }

    private let folder: TemporaryFolder
    private let connection: OpaquePointer

    /// Opens a fresh database in a temporary folder.
    init() throws {
        folder = try TemporaryFolder(prefix: "nephos-floor")
        var opened: OpaquePointer?
        guard sqlite3_open(folder.path + "/floor.sqlite", &opened) == SQLITE_OK, let opened else {
            throw Failure(description: "open")
        }
        connection = opened
        try execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL")
        try execute(
            "CREATE TABLE records (id INTEGER PRIMARY KEY, db INTEGER, seq INTEGER, fields TEXT)"
        )
        try execute("CREATE UNIQUE INDEX by_seq ON records (db, seq)")
    }

    /// Measures everything, each for about a second, and closes the database.
    func rates() throws -> [Rate] {
        defer { sqlite3_close_v2(connection) }
        let insert = try prepare("INSERT INTO records VALUES (?1, 1, ?1, ?2)")
        let point = try prepare("SELECT fields FROM records WHERE id = ?1")
        let page = try prepare("SELECT fields FROM records WHERE db = 1 AND seq > ?1 ORDER BY seq LIMIT 200")
        defer { for statement in [insert, point, page] { sqlite3_finalize(statement) } }
        let fields = String(repeating: "x", count: 800)
        var next: Int64 = 0
        func save() throws {
            next += 1
            sqlite3_bind_int64(insert, 1, next)
            sqlite3_bind_text(insert, 2, fields, -1, nil)
            guard sqlite3_step(insert) == SQLITE_DONE else { throw problem("insert") }
            sqlite3_reset(insert)
        }
        func rows(_ statement: OpaquePointer, _ key: Int64) throws {
            sqlite3_bind_int64(statement, 1, key)
            var code = sqlite3_step(statement)
            while code == SQLITE_ROW {
                _ = sqlite3_column_bytes(statement, 0)
                code = sqlite3_step(statement)
            }
            guard code == SQLITE_DONE else { throw problem("select") }
            sqlite3_reset(statement)
        }
        return [
            try rate("commit of 1 row") { try save() },
            try rate("commit of 200 rows") {
                try execute("BEGIN IMMEDIATE")
                for _ in 0..<200 { try save() }
                try execute("COMMIT")
            },
            try rate("read of 1 row") { try rows(point, Int64.random(in: 1...next)) },
            try rate("read of 200 rows in order") { try rows(page, Int64.random(in: 0...(next - 200))) },
        ]
    }

    private func rate(_ name: String, _ work: () throws -> Void) throws -> Rate {
        let start = ContinuousClock.now, cpu = CPUTime.seconds()
        var count = 0
        while ContinuousClock.now - start < .seconds(1) {
            try work()
            count += 1
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        return Rate(
            name: name, perSecond: Double(count) / seconds,
            microseconds: (CPUTime.seconds() - cpu) * 1e6 / Double(count))
    }

    private func prepare(_ sql: String) throws -> OpaquePointer {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
            throw problem(sql)
        }
        return statement
    }

    private func execute(_ sql: String) throws {
        guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else { throw problem(sql) }
    }

    private func problem(_ what: String) -> Failure {
        Failure(description: "\(what): \(String(cString: sqlite3_errmsg(connection)))")
    }
}
