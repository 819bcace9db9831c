import NephosQueries
import NephosStorage

/// Iterates over whole tables of a file for a check.
struct TableWalk: EntryWalk {
    let connection: Connection
    var report: WalkReport

    /// - Parameter progress: Called with the number of rows examined and the total number of rows.
    init(_ connection: Connection, progress: @escaping (Int, Int) -> Void = { _, _ in }) {
        self.connection = connection
        report = WalkReport(progress: progress)
    }

    func count(_ table: StoredTable) throws(StorageError) -> Int64 {
        try connection.number("SELECT count(*) FROM \(table.name)") ?? 0
    }

    func steps() throws(StorageError) -> Set<String> { try Migrations.done(connection) }

    func rows(
        of table: AuditedTable, in database: DatabaseNumber?, after last: [ColumnValue]?,
        _ body: (CurrentRow) throws(StorageError) -> Void
    ) throws(StorageError) {
        let (stored, key) = (table.table, TableKey(table.table))
        let conditions = (database.map { [RowKey.isOf($0)] } ?? []) + (last == nil ? [] : [key.isAfter])
        let part = conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
        let order = table.isOrdered ? " ORDER BY \(key.order)" : ""
        let sql = "SELECT \(table.selection(Self.dialect)) FROM \(stored.name)\(part)\(order)"
        try rows(of: sql, last ?? [], body)
    }

    private static let dialect = TableDialect(recordKey: RowKey.id)

    func areThere(_ entries: [StoredEntry], in database: DatabaseNumber) throws(StorageError) -> [Bool] {
        try entries.map { entry throws(StorageError) in
            var row = try connection.start(
                Self.entry, database, entry.zone, entry.index, entry.key, entry.record)
            return try row.next()
        }
    }

    private static let entry = Statement("SELECT 1 FROM index_rows WHERE \(EntryWriter.isEntry)")

    private func rows(
        of sql: String, _ values: [ColumnValue] = [], _ body: (CurrentRow) throws(StorageError) -> Void
    ) throws(StorageError) {
        var cursor = try connection.once(sql)
        for value in values { cursor.bind(value) }
        let row = CurrentRow(handle: cursor.handle)
        while try cursor.next() { try body(row) }
    }

    /// Passes every row of a statement to `judge`; these rows are not among those that were counted.
    ///
    /// - Parameter label: Names a row that cannot be read.
    mutating func each(
        _ table: String, _ sql: String, label: (CurrentRow) -> String = { "row \($0.string(0))" },
        _ judge: (CurrentRow, inout Findings) throws(StorageError) -> Void
    ) throws(StorageError) {
        try keepingOn(table) { walk throws(StorageError) in
            try walk.rows(of: sql) { row throws(StorageError) in
                try walk.report.look(at: table, label(row), isCounted: false) { findings throws(StorageError) in
                    try judge(row, &findings)
                }
            }
        }
    }

    /// Reports what SQLite's own check finds in its file.
    mutating func checkPages() throws(StorageError) {
        try each("file", "PRAGMA quick_check(20)") { row, findings throws(StorageError) in
            let line = row.string(0)
            findings.expect(line == "ok", "file", line)
        }
    }
}
