import CloudKitWire
import NephosStorage

/// Sums up files.
struct AssetReader {
    let connection: Connection

    func unreferencedFiles() throws(StorageError) -> UnreferencedFiles {
        var files = UnreferencedFiles()
        var rows = try connection.start(Self.unreferenced)
        while try rows.next() {
            files.byUploader[rows.int(0)] = rows.int(1)
            files.count += Int(rows.int(2))
        }
        return files
    }

    private static let unreferenced = Statement(
        """
        SELECT nonce >> \(UnreferencedFiles.uploaderShift),
            sum(min(max(size, \(UnreferencedFiles.bytesMin)), \(UnreferencedFiles.bytesMax))), count(*)
        FROM assets INDEXED BY assets_released WHERE released_at > 0 GROUP BY 1
        """)
}
