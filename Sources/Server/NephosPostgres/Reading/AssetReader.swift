import CloudKitWire
import NephosStorage

/// Sums up files.
enum AssetReader {
    static func unreferencedFiles(_ tenant: TenantNumber) -> Call { Call(unreferenced, tenant.value) }

    static func readUnreferenced(_ rows: Rows) throws(StorageError) -> UnreferencedFiles {
        var files = UnreferencedFiles()
        try rows.forEach { row throws(StorageError) in
            files.byUploader[row.int(0)] = row.int(1)
            files.count += Int(row.int(2))
        }
        return files
    }

    private static let unreferenced = Statement(
        """
        SELECT nonce >> \(UnreferencedFiles.uploaderShift),
            sum(least(greatest(size, \(UnreferencedFiles.bytesMin)), \(UnreferencedFiles.bytesMax)))::bigint, count(*)
        FROM assets WHERE db >> 40 = $1 AND released_at > 0 GROUP BY 1
        """)
}
