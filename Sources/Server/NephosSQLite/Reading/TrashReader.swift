import CloudKitWire
import NephosStorage

/// Reads of the table `trash`.
final class TrashReader {
    private let newest: Query
    private let named: Query

    init(_ connection: Connection) {
        newest = Query(connection, Self.newest)
        named = Query(connection, Self.named)
    }

    // The indexes are named so that a plan that sorts all the trash cannot slip in.
    private static let columns = TrashRow.columns.joined(separator: ", ")
    static let newest = """
        SELECT \(columns) FROM trash INDEXED BY trash_newest
        WHERE db = ?1 AND \(page)
        """
    static let named = """
        SELECT \(columns) FROM trash INDEXED BY trash_by_name
        WHERE db = ?1 AND name = ?7 AND \(page)
        """
    private static let page = """
        (deleted_at, record_no) < (?2, ?3) AND deleted_at >= ?4 AND (?5 IS NULL OR type = ?5)
        ORDER BY deleted_at DESC, record_no DESC LIMIT ?6
        """

    func rows(_ scan: TrashScan) throws(StorageError) -> [TrashRow] {
        var cursor = try scan.name == nil ? newest.start() : named.start()
        cursor.bind(scan.database)
        cursor.bind(scan.after?.deletedAt ?? .max)
        cursor.bind(scan.after?.number ?? .max)
        cursor.bind(scan.from ?? .min)
        cursor.bind(scan.type.map(Int64.init))
        cursor.bind(Int64(scan.limit))
        if let name = scan.name { cursor.bind(name) }
        var rows: [TrashRow] = []
        while try cursor.next() { rows.append(try TrashRow(cursor)) }
        return rows
    }
}
