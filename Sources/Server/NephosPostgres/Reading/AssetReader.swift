import CloudKitWire
import NephosStorage

/// Reads of the table `assets`.
struct AssetReader {
    let tenant: TenantNumber

    /// In the order of ``read(_:)``.
    static let columns = "db, address, nonce, size, content_type, created_at, released_at"
    /// How many there are; others may follow.
    static let columnCount: Int32 = 7

    func rows(_ keys: [AssetKey]) throws(StorageError) -> Call {
        let stored = try keys.map { key throws(StorageError) in try tenant.stored(key.database) }
        return Call(Self.some) {
            $0.add(numbers: stored)
            $0.add(pieces: keys.map { $0.address[...] })
        }
    }

    /// The rows of ``rows(_:)-([AssetKey])``, in the order of the keys.
    func read(_ rows: Rows, keys: [AssetKey]) throws(StorageError) -> [AssetRow?] {
        var found: [AssetKey: AssetRow] = [:]
        try rows.forEach { row throws(StorageError) in
            let asset = read(row)
            found[asset.key] = asset
        }
        return keys.map { found[$0] }
    }

    func rows(_ scan: AssetScan) throws(StorageError) -> Call {
        let stored = try scan.after.map { key throws(StorageError) in try tenant.stored(key.database) }
        return Call(Self.page) {
            $0.add(stored ?? tenant.range.lowerBound)
            $0.add(bytes: scan.after?.address ?? [])
            $0.add(tenant.range.upperBound)
            $0.add(Int64(scan.limit))
        }
    }

    func unheldFiles() -> Call { Call(Self.unheld) { $0.add(tenant.value) } }

    func readUnheld(_ rows: Rows) throws(StorageError) -> UnheldFiles {
        var files = UnheldFiles()
        try rows.forEach { row throws(StorageError) in
            files.byUploader[row.int(0)] = row.int(1)
            files.count += Int(row.int(2))
        }
        return files
    }

    func read(_ row: Row) -> AssetRow {
        AssetRow(
            database: tenant.database(row.int(0)), address: row.bytes(1), nonce: row.int(2), size: row.int(3),
            contentType: row.string(4), createdAt: row.int(5), releasedAt: row.int(6))
    }

    private static let some = Statement(
        """
        SELECT \(columns.split(separator: ", ").map { "a.\($0)" }.joined(separator: ", "))
        FROM unnest($1::bigint[], $2::bytea[]) AS k (db, address)
        CROSS JOIN LATERAL (SELECT * FROM assets WHERE db = k.db AND address = k.address LIMIT 1) AS a
        """)
    private static let unheld = Statement(
        """
        SELECT nonce >> \(UnheldFiles.uploaderShift),
            sum(least(greatest(size, \(UnheldFiles.bytesMin)), \(UnheldFiles.bytesMax)))::bigint, count(*)
        FROM assets WHERE db >> 40 = $1 AND released_at > 0 GROUP BY 1
        """)
    private static let page = Statement(
        "SELECT \(columns) FROM assets WHERE (db, address) > ($1, $2) AND db < $3 ORDER BY db, address LIMIT $4")
}
