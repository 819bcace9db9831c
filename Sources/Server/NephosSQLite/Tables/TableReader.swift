import NephosStorage
import Synchronization

/// Reads described tables.
struct TableReader {
    let connection: Connection

    func load(_ scan: some AnyScan, into reading: inout Reading) throws(StorageError) {
        let scan = scan.scan
        reading[scan] = try rows(scan)
    }

    func rows<Row: StoredRow>(_ scan: Scan<Row>) throws(StorageError) -> [Row] {
        let statement = Self.statement(scan.shape) { TableSQL.scan(scan) }
        var rows: [Row] = []
        if case .among = scan.shape.rest {
            for tuple in scan.tuples where rows.count < scan.limit {
                try add(statement, scan, tuple, scan.limit - rows.count, to: &rows)
            }
        } else {
            try add(statement, scan, [], scan.limit, to: &rows)
        }
        return rows
    }

    private func add<Row: StoredRow>(
        _ statement: Statement, _ scan: Scan<Row>, _ tuple: [ColumnValue], _ limit: Int, to rows: inout [Row]
    ) throws(StorageError) {
        var cursor = try connection.start(statement)
        for value in scan.values { cursor.bind(value) }
        for value in tuple { cursor.bind(value) }
        cursor.bind(Int64(limit))
        while try cursor.next() { rows.append(try cursor.row(Row.self)) }
    }

    /// Not a ``DerivedValueCache``: each read uses this, and the compiler generates faster code for a dictionary of concrete types.
    private static let statements = Mutex<[ScanShape: Statement]>([:])

    private static func statement(_ shape: ScanShape, _ sql: () -> String) -> Statement {
        statements.withLock { statements in
            if let known = statements[shape] { return known }
            let statement = Statement(sql())
            statements[shape] = statement
            return statement
        }
    }
}
