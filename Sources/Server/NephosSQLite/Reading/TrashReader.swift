import CloudKitWire
import NephosStorage

/// Reads of the table `trash`.
final class TrashReader {
    /// In the order of ``row(_:database:)``: a whole record first.
    static let columns = "\(RecordColumns.list), deleted_at, deleted_by"
    static let deletedAt: Int32 = RecordColumns.count
    static let deletedBy: Int32 = RecordColumns.count + 1
    /// How many columns ``row(_:database:)`` looks at; others may follow.
    static let columnCount: Int32 = RecordColumns.count + 2

    private let newest: Query
    private let named: Query

    init(_ connection: Connection) {
        newest = Query(connection, Self.newest)
        named = Query(connection, Self.named)
    }

    // The indexes are named so that a plan that sorts all the trash cannot slip in.
    static let newest = """
        SELECT \(columns) FROM trash INDEXED BY trash_newest
        WHERE db = ? AND deleted_at < ? ORDER BY deleted_at DESC, record_no DESC LIMIT ?
        """
    static let named = """
        SELECT \(columns) FROM trash INDEXED BY trash_by_name
        WHERE db = ? AND name = ? AND deleted_at < ? ORDER BY deleted_at DESC, record_no DESC LIMIT ?
        """

    func rows(_ scan: TrashScan) throws(StorageError) -> [TrashRow] {
        var cursor = try scan.name == nil ? newest.start() : named.start()
        cursor.bind(scan.database)
        if let name = scan.name { cursor.bind(name) }
        cursor.bind(scan.before ?? .max)
        cursor.bind(Int64(scan.limit))
        var rows: [TrashRow] = []
        while try cursor.next() { rows.append(try Self.row(cursor, database: scan.database)) }
        return rows
    }

    /// Reads ``columns``.
    static func row(_ cursor: borrowing Cursor, database: DatabaseNumber) throws(StorageError) -> TrashRow {
        TrashRow(
            record: try RecordPage.row(cursor, database: database), deletedAt: cursor.int(deletedAt),
            deletedBy: cursor.isNull(deletedBy) ? nil : try cursor.user(deletedBy))
    }
}
