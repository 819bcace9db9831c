import NephosStorage

/// Reads described tables over one connection.
final class TableReader {
    private let connection: Connection
    private var queries: [ScanShape: Query] = [:]

    init(_ connection: Connection) { self.connection = connection }

    func load(_ scan: some AnyScan, into reading: inout Reading) throws(StorageError) {
        reading[scan.scan] = try rows(scan.scan)
    }

    func rows<Row: StoredRow>(_ scan: Scan<Row>) throws(StorageError) -> [Row] {
        let query = query(scan)
        var rows: [Row] = []
        if case .among = scan.shape.rest {
            for tuple in scan.tuples where rows.count < scan.limit {
                try add(query, scan, tuple, scan.limit - rows.count, to: &rows)
            }
        } else {
            try add(query, scan, [], scan.limit, to: &rows)
        }
        return rows
    }

    private func add<Row: StoredRow>(
        _ query: Query, _ scan: Scan<Row>, _ tuple: [ColumnValue], _ limit: Int, to rows: inout [Row]
    ) throws(StorageError) {
        var cursor = try query.start()
        for value in scan.values { cursor.bind(value) }
        for value in tuple { cursor.bind(value) }
        cursor.bind(Int64(limit))
        while try cursor.next() { rows.append(try cursor.row(Row.self)) }
    }

    private func query<Row: StoredRow>(_ scan: Scan<Row>) -> Query {
        if let query = queries[scan.shape] { return query }
        let query = Query(connection, TableSQL.scan(scan))
        queries[scan.shape] = query
        return query
    }
}
