import NephosStorage

/// The tables of one file, for a copy of the store.
final class SQLiteCopyTables: CopyTables {
    private let connection: Connection

    /// - Parameter connection: Nobody else's.
    init(_ connection: Connection) { self.connection = connection }

    func steps() throws(StorageError) -> Set<String> { try Migrations.done(connection) }

    func rows(
        of table: CopiedTable, after key: [ColumnValue]?, _ body: (any AnswerRow) throws(StorageError) -> Void
    ) throws(StorageError) {
        try TableWalk(connection).rows(of: table.audited, in: nil, after: key) { row throws(StorageError) in
            try body(row)
        }
    }

    func lastKey(of table: CopiedTable) throws(StorageError) -> [ColumnValue]? {
        let key = table.stored.key
        let columns = key.map(\.name).joined(separator: ", ")
        let order = TableKey(table.stored).descending
        var cursor = try connection.once("SELECT \(columns) FROM \(table.name) ORDER BY \(order) LIMIT 1")
        guard try cursor.next() else { return nil }
        var values: [ColumnValue] = []
        for (place, column) in zip(Int32(0)..., key) {
            guard let value = try cursor.value(place, of: column.kind) else { continue }
            values.append(value)
        }
        return values
    }

    func insert(_ rows: [[ColumnValue?]], into table: CopiedTable) throws(StorageError) -> Int {
        let statement = Statement.kept(Self.insertion(table))
        return try connection.transaction { connection throws(StorageError) in
            var count = 0
            for row in rows {
                var cursor = try connection.start(statement)
                for value in row {
                    if let value { cursor.bind(value) } else { cursor.bindNull() }
                }
                try cursor.finish()
                count += Int(connection.changes)
            }
            return count
        }
    }

    private static func insertion(_ table: CopiedTable) -> String {
        var columns = table.columns.map(\.name)
        var values = columns.indices.map { "?\($0 + 1)" }
        if table.name == "records" {
            columns.append("id")
            values.append(RowKey.id("?1", "?2"))
        }
        return """
            INSERT INTO \(table.name) (\(columns.joined(separator: ", "))) VALUES (\(values.joined(separator: ", ")))
            ON CONFLICT DO NOTHING
            """
    }
}
