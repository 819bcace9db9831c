import NephosStorage

/// Writes of the table `credential_uses`.
final class CredentialUseWriter {
    private let note: Query
    private let removal: Query

    init(_ connection: Connection) {
        note = Query(
            connection,
            """
            INSERT INTO credential_uses (kind, id, day, checksum) VALUES (?,?,?,?)
            ON CONFLICT (kind, id) DO UPDATE SET day = excluded.day, checksum = excluded.checksum
            WHERE excluded.day > credential_uses.day
            """)
        removal = Query(connection, "DELETE FROM credential_uses WHERE kind = ? AND id = ?")
    }

    func note(_ row: CredentialUseRow) throws(StorageError) {
        var cursor = try note.start()
        cursor.bind(row.key.kind.rawValue)
        cursor.bind(blob: row.key.id)
        cursor.bind(row.day)
        cursor.bind(row.checksum)
        try cursor.finish()
    }

    func forget(_ key: CredentialKey) throws(StorageError) {
        var cursor = try removal.start()
        cursor.bind(key.kind.rawValue)
        cursor.bind(blob: key.id)
        try cursor.finish()
    }
}
