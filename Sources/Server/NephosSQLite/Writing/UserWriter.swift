import CloudKitWire
import NephosStorage

/// Adds rows to the table `users`.
final class UserWriter {
    private let insertion: Query

    init(_ connection: Connection) {
        insertion = Query(
            connection,
            "INSERT INTO users (id, source, source_id, private_db, created_at, checksum) VALUES (?,?,?,?,?,?)")
    }

    func insert(_ user: UserRow) throws(StorageError) {
        var cursor = try insertion.start()
        cursor.bind(user.id)
        cursor.bind(user.source.rawValue)
        cursor.bind(user.sourceID)
        cursor.bind(user.privateDatabase)
        cursor.bind(user.createdAt)
        cursor.bind(user.checksum)
        try cursor.finish()
    }
}
