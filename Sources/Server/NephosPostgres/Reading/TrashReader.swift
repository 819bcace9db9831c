import CloudKitWire
import NephosStorage

/// Reads of the table `trash`.
struct TrashReader {
    let tenant: TenantNumber

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
        try rows.map { row throws(StorageError) in try TrashRow(row) }
    }

    private static let columns = TrashRow.columns.joined(separator: ", ")
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
