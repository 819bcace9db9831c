import CloudKitWire
import NephosStorage

/// Reads of the table `assets`.
final class AssetReader {
    /// In the order of ``row(_:)``.
    static let columns = "db, address, nonce, size, content_type, created_at, released_at"
    /// How many there are; others may follow.
    static let columnCount: Int32 = 7

    private let one: Query
    private let page: Query
    private let unheld: Query

    init(_ connection: Connection) {
        one = Query(connection, "SELECT \(Self.columns) FROM assets WHERE db = ? AND address = ?")
        page = Query(
            connection,
            "SELECT \(Self.columns) FROM assets WHERE (db, address) > (?, ?) ORDER BY db, address LIMIT ?")
        unheld = Query(
            connection,
            """
            SELECT nonce >> \(UnheldFiles.uploaderShift),
                sum(min(max(size, \(UnheldFiles.bytesMin)), \(UnheldFiles.bytesMax))), count(*)
            FROM assets INDEXED BY assets_released WHERE released_at > 0 GROUP BY 1
            """)
    }

    func unheldFiles() throws(StorageError) -> UnheldFiles {
        var cursor = try unheld.start()
        var files = UnheldFiles()
        while try cursor.next() {
            files.byUploader[cursor.int(0)] = cursor.int(1)
            files.count += Int(cursor.int(2))
        }
        return files
    }

    func row(_ key: AssetKey) throws(StorageError) -> AssetRow? {
        var cursor = try one.start()
        cursor.bind(key.database)
        cursor.bind(blob: key.address)
        return try cursor.next() ? Self.row(cursor) : nil
    }

    func rows(_ scan: AssetScan) throws(StorageError) -> [AssetRow] {
        var cursor = try page.start()
        cursor.bind(scan.after?.database ?? 0)
        cursor.bind(blob: scan.after?.address ?? [])
        cursor.bind(Int64(scan.limit))
        var rows: [AssetRow] = []
        while try cursor.next() { rows.append(Self.row(cursor)) }
        return rows
    }

    /// Reads ``columns``.
    static func row(_ cursor: borrowing Cursor) -> AssetRow {
        AssetRow(
            database: cursor.int(0), address: Array(cursor.raw(1)), nonce: cursor.int(2), size: cursor.int(3),
            contentType: cursor.string(4), createdAt: cursor.int(5), releasedAt: cursor.int(6))
    }
}
