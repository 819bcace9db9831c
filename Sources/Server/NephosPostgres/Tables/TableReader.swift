import NephosStorage

/// Reads described tables.
struct TableReader {
    let tenant: TenantNumber
    /// Whether a commit reads: then rows are locked as specified by their scans.
    let isForUpdate: Bool

    /// One call for each database that the scan names.
    func calls<Row: StoredRow>(_ scan: Scan<Row>) throws(StorageError) -> [Call] {
        try scan.byDatabase.map { scan throws(StorageError) in try call(scan) }
    }

    /// - Parameter scan: Must name one database, or cover a whole tenant.
    func call<Row: StoredRow>(_ scan: Scan<Row>) throws(StorageError) -> Call {
        var call = Call(Self.statement(scan, isForUpdate: isForUpdate))
        switch TableSQL.range(scan) {
        case .tenant, .index: call.values.add(tenant.value)
        case .databases: tenant.range.add(to: &call.values)
        case .database, .whole: break
        }
        for value in scan.values { try call.values.add(value, tenant) }
        if case .among(let count) = scan.shape.rest {
            let columns = Row.table.columns(of: scan.index).dropFirst(scan.shape.fixed).prefix(count)
            // Locks are acquired in the order of the key, so that no two transactions wait for each other.
            let tuples = isForUpdate && scan.shape.lock != .none ? scan.tuples.sorted(by: isBefore) : scan.tuples
            for (place, column) in columns.enumerated() {
                var array = MemberArray(of: column.kind)
                for tuple in tuples { try array.append(tuple[place], tenant) }
                call.values.add(array)
            }
        }
        call.values.add(Int64(scan.limit))
        return call
    }

    /// - Parameter answers: The results of ``calls(_:)``.
    func rows<Row: StoredRow>(_ answers: ArraySlice<Rows>, of scan: Scan<Row>) throws(StorageError) -> [Row] {
        var found: [Row] = []
        for rows in answers where found.count < scan.limit { found += try self.rows(rows) }
        return found.count > scan.limit ? Array(found.prefix(scan.limit)) : found
    }

    func rows<Row: StoredRow>(_ rows: Rows) throws(StorageError) -> [Row] {
        try rows.map { row throws(StorageError) in try row.stored(Row.self, tenant) }
    }

    /// The rows of a scan that names one database, or covers a whole tenant.
    func rows<Row: StoredRow>(_ scan: Scan<Row>, _ transaction: Transaction) throws(StorageError) -> [Row] {
        try rows(transaction.run([call(scan)]), of: scan)
    }

    private struct Key: Hashable {
        let shape: ScanShape
        let isForUpdate: Bool
    }

    private static func statement<Row: StoredRow>(_ scan: Scan<Row>, isForUpdate: Bool) -> Statement {
        let key = Key(shape: scan.shape, isForUpdate: isForUpdate && scan.shape.lock != .none)
        return statements.value(key) { Statement(TableSQL.scan(scan, isForUpdate: isForUpdate)) }
    }

    private static let statements = DerivedValueCache<Key, Statement>()
}

private func isBefore(_ left: [ColumnValue], _ right: [ColumnValue]) -> Bool { left.lexicographicallyPrecedes(right) }
