import CloudKitWire
import NephosStorage

/// Adds up files.
final class AssetReader {
    private let unheld: Query

    init(_ connection: Connection) {
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
}
