import CloudKitWire
import NephosStorage

/// Sums up files.
struct AssetReader {
    let connection: Connection

    func unheldFiles() throws(StorageError) -> UnheldFiles {
        var files = UnheldFiles()
        var rows = try connection.start(Self.unheld)
        while try rows.next() {
            files.byUploader[rows.int(0)] = rows.int(1)
            files.count += Int(rows.int(2))
        }
        return files
    }

    private static let unheld = Statement(
        """
        SELECT nonce >> \(UnheldFiles.uploaderShift),
            sum(min(max(size, \(UnheldFiles.bytesMin)), \(UnheldFiles.bytesMax))), count(*)
        FROM assets INDEXED BY assets_released WHERE released_at > 0 GROUP BY 1
        """)
}
