import CloudKitWire
import NephosStorage

/// Sums up files.
enum AssetReader {
    static func unheldFiles(_ tenant: TenantNumber) -> Call { Call(unheld, tenant.value) }

    static func readUnheld(_ rows: Rows) throws(StorageError) -> UnheldFiles {
        var files = UnheldFiles()
        try rows.forEach { row throws(StorageError) in
            files.byUploader[row.int(0)] = row.int(1)
            files.count += Int(row.int(2))
        }
        return files
    }

    private static let unheld = Statement(
        """
        SELECT nonce >> \(UnheldFiles.uploaderShift),
            sum(least(greatest(size, \(UnheldFiles.bytesMin)), \(UnheldFiles.bytesMax)))::bigint, count(*)
        FROM assets WHERE db >> 40 = $1 AND released_at > 0 GROUP BY 1
        """)
}
