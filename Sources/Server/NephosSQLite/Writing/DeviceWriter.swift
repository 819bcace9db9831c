import CloudKitWire
import NephosStorage

/// Writes of the table `devices`.
final class DeviceWriter {
    private let connection: Connection
    private let insertion: Query
    private let removal: Query
    private let removalOfDeliveries: Query

    init(_ connection: Connection) {
        self.connection = connection
        insertion = Query(
            connection,
            """
            INSERT INTO devices (
                db, user_id, id, channel, client, development, address, secret, session, token, created_at, used_at,
                checksum
            ) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)
            """)
        removal = Query(
            connection, "DELETE FROM devices WHERE db = ? AND user_id = ? AND id = ? AND checksum = ?")
        removalOfDeliveries = Query(connection, "DELETE FROM deliveries WHERE db = ? AND device = ?")
    }

    func apply(_ write: DeviceWrite) throws(StorageError) {
        if let old = write.old { try remove(old) }
        if let new = write.new { try insert(new) } else if let old = write.old { try removeDeliveries(to: old.key) }
    }

    private func insert(_ row: DeviceRow) throws(StorageError) {
        var cursor = try insertion.start()
        cursor.bind(row.key)
        cursor.bind(row.channel.rawValue)
        cursor.bind(row.client)
        cursor.bind(row.isDevelopment ? 1 : 0)
        cursor.bind(row.address)
        cursor.bind(blob: row.secret)
        cursor.bind(blob: row.session)
        cursor.bind(blob: row.token)
        cursor.bind(row.createdAt)
        cursor.bind(row.usedAt)
        cursor.bind(row.checksum)
        try cursor.finish()
    }

    /// Removes a row that lies there just as it was read.
    private func remove(_ row: DeviceRow) throws(StorageError) {
        var cursor = try removal.start()
        cursor.bind(row.key)
        cursor.bind(row.checksum)
        try cursor.finish()
        guard connection.changes == 1 else { throw .failed("a device to change is not there") }
    }

    private func removeDeliveries(to key: DeviceKey) throws(StorageError) {
        var cursor = try removalOfDeliveries.start()
        cursor.bind(key.database)
        cursor.bind(blob: key.id)
        try cursor.finish()
    }
}
