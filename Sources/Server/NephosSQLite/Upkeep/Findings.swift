import NephosStorage

/// What a check found so far, and how far it came.
struct Findings {
    /// A file that is wrong everywhere needs no longer list than this.
    private let limit = 1_000
    private(set) var list: [CheckFinding] = []

    mutating func add(_ table: String, _ what: String) {
        if list.count < limit { list.append(CheckFinding(table: table, what: what)) }
        if list.count == limit { list.append(CheckFinding(table: table, what: "and more: the list ends here")) }
    }

    /// Adds a finding unless `holds`.
    mutating func expect(_ holds: Bool, _ table: String, _ what: @autoclosure () -> String) {
        if !holds { add(table, what()) }
    }
}

/// Walks whole tables for a check.
struct TableWalk {
    let connection: Connection
    var findings = Findings()
    private var done = 0
    private var total = 0

    init(_ connection: Connection) { self.connection = connection }

    /// Says how many rows there will be.
    mutating func count(_ tables: [String]) throws(StorageError) {
        for table in tables { total += Int(try connection.number("SELECT count(*) FROM \(table)") ?? 0) }
    }

    /// Shows every row of a statement to `judge`. A row that cannot be read is a finding, and so is a table.
    mutating func each(
        _ table: String, _ sql: String, progress: (Int, Int) -> Void = { _, _ in },
        _ judge: (borrowing Cursor, inout Findings) throws(StorageError) -> Void
    ) throws(StorageError) {
        do throws(StorageError) {
            var cursor = try Query(connection, sql).start()
            while try cursor.next() {
                do throws(StorageError) { try judge(cursor, &findings) } catch {
                    guard case .corrupt(let what) = error else { throw error }
                    findings.add(table, "row \(cursor.key): \(what)")
                }
                done += 1
                if done.isMultiple(of: 1_000) { progress(done, total) }
            }
        } catch {
            guard case .corrupt(let what) = error else { throw error }
            findings.add(table, "cannot be read to its end: \(what)")
        }
    }

    /// What SQLite itself says of its file.
    mutating func checkPages() throws(StorageError) {
        try each("file", "PRAGMA quick_check(20)") { cursor, findings throws(StorageError) in
            let line = cursor.string(0)
            findings.expect(line == "ok", "file", line)
        }
    }

    /// Tells that all rows were looked at.
    func finish(_ progress: (Int, Int) -> Void) { progress(total, total) }
}

extension Cursor {
    /// The first columns of a row that cannot be read, for people.
    fileprivate var key: String { "\(string(0))/\(string(1))" }
}
