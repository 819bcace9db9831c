import CloudKitWire
import NephosStorage

/// Reads of the table `trash`.
struct TrashReader {
    let tenant: TenantNumber

    /// Columns of a deleted record: a whole record first.
    static let columns = "\(RecordColumns.list), deleted_at, deleted_by"
    /// How many there are; others may follow.
    static let columnCount: Int32 = RecordColumns.count + 2

    func rows(_ scan: TrashScan) throws(StorageError) -> Call {
        let stored = try tenant.stored(scan.database)
        return Call(scan.name == nil ? Self.newest : Self.named) {
            $0.add(stored)
            $0.add(scan.after?.deletedAt ?? .max)
            $0.add(scan.after?.number ?? .max)
            $0.add(scan.from ?? .min)
            if let type = scan.type { $0.add(Int64(type)) } else { $0.addNull() }
            $0.add(Int64(scan.limit))
            if let name = scan.name { $0.add(name) }
        }
    }

    func read(_ rows: Rows) throws(StorageError) -> [TrashRow] {
        let page = RecordPage(rows, tenant)
        var trash: [TrashRow] = []
        for index in 0..<rows.count { trash.append(try read(rows[index], try page.record(index))) }
        return trash
    }

    /// Reads a row that begins with ``columns``, in memory of its own.
    func read(_ row: Row) throws(StorageError) -> TrashRow { try read(row, try row.record(tenant)) }

    private func read(_ row: Row, _ record: RecordRow) throws(StorageError) -> TrashRow {
        TrashRow(
            record: record, deletedAt: row.int(RecordColumns.count),
            deletedBy: try row.optionalUser(RecordColumns.count + 1))
    }

    /// There is an index of the trash of all databases by time, too. This order is that of one database alone.
    private static let newest = Statement(
        """
        SELECT \(columns) FROM trash
        WHERE (db, deleted_at) >= ($1, $4) AND (db, deleted_at, record_no) < ($1, $2, $3) AND \(isOfType)
        ORDER BY db DESC, deleted_at DESC, record_no DESC LIMIT $6
        """)
    private static let named = Statement(
        """
        SELECT \(columns) FROM trash
        WHERE db = $1 AND name = $7 AND deleted_at >= $4 AND (deleted_at, record_no) < ($2, $3) AND \(isOfType)
        ORDER BY deleted_at DESC, record_no DESC LIMIT $6
        """)
    private static let isOfType = "($5::bigint IS NULL OR type = $5)"
}
