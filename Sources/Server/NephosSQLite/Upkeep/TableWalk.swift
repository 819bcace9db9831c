import NephosQueries
import NephosStorage

/// Walks whole tables for a check. What cannot be read is a finding, never the end of the walk.
struct TableWalk: EntryWalk {
    let connection: Connection
    private let entry: Query
    var report: WalkReport

    /// - Parameter progress: Called with the number of rows looked at and how many there are in all.
    init(_ connection: Connection, progress: @escaping (Int, Int) -> Void) {
        self.connection = connection
        entry = Query(connection, "SELECT 1 FROM index_rows WHERE \(EntryWriter.isEntry)")
        report = WalkReport(progress: progress)
    }

    /// Says which tables will be walked.
    mutating func count(_ tables: [StoredTable]) throws(StorageError) {
        var count = 0
        for name in tables.map(\.name) {
            try each(name, "SELECT count(*) FROM \(name)", isCounted: false) { row, _ throws(StorageError) in
                count += Int(row.int(0))
            }
        }
        report.begin(rows: count)
    }

    mutating func show(
        _ table: AuditedTable, of database: DatabaseNumber?, isCounted: Bool,
        _ judge: (CurrentRow, inout Findings) throws(StorageError) -> Void
    ) throws(StorageError) {
        let stored = table.table
        let part = database.map { " WHERE \(RowKey.isOf($0))" } ?? ""
        let order = table.isOrdered ? " ORDER BY \(stored.key.map(\.name).joined(separator: ", "))" : ""
        let sql = "SELECT \(table.selection(Self.dialect)) FROM \(stored.name)\(part)\(order)"
        try each(stored.name, sql, isCounted: isCounted, label: stored.label, judge)
    }

    private static let dialect = TableDialect(recordKey: RowKey.id)

    func areThere(_ entries: [StoredEntry], in database: DatabaseNumber) throws(StorageError) -> [Bool] {
        try entries.map { entry throws(StorageError) in
            var cursor = try self.entry.start()
            cursor.bind(entry, of: database)
            return try cursor.next()
        }
    }

    /// Shows every row of a statement to `judge`.
    ///
    /// - Parameters:
    ///   - isCounted: These are rows of ``count(_:)``.
    ///   - label: Names a row that cannot be read.
    mutating func each(
        _ table: String, _ sql: String, isCounted: Bool = true,
        label: (CurrentRow) -> String = { "row \($0.string(0))" },
        _ judge: (CurrentRow, inout Findings) throws(StorageError) -> Void
    ) throws(StorageError) {
        do throws(StorageError) {
            var cursor = try connection.once(sql)
            let row = CurrentRow(handle: cursor.handle)
            while try cursor.next() {
                try report.look(at: table, label(row), isCounted: isCounted) { findings throws(StorageError) in
                    try judge(row, &findings)
                }
            }
        } catch {
            guard case .corrupt(let what) = error else { throw error }
            findings.add(table, "cannot be read to its end: \(what)")
        }
    }

    /// What SQLite itself says of its file.
    mutating func checkPages() throws(StorageError) {
        try each("file", "PRAGMA quick_check(20)", isCounted: false) { cursor, findings throws(StorageError) in
            let line = cursor.string(0)
            findings.expect(line == "ok", "file", line)
        }
    }
}
