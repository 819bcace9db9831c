import NephosStorage

/// Reads the sessions that devices name, which takes two tables.
final class SessionReader {
    private let named: Query

    init(_ connection: Connection) {
        // A courier that was registered before the column came has it where webhooks have their secret.
        named = Query(
            connection,
            """
            SELECT \(TableSQL.list(SessionRow.table)) FROM sessions
            WHERE id = (SELECT CASE WHEN session = x'' AND channel = 1 THEN secret ELSE session END
                FROM devices WHERE db = ? AND user_id = ? AND id = ?)
            """)
    }

    /// Each once, in any order.
    func sessions(of devices: [DeviceKey]) throws(StorageError) -> [SessionRow] {
        var found: [[UInt8]: SessionRow] = [:]
        for device in devices {
            var cursor = try named.start()
            cursor.bind(device.database)
            cursor.bind(device.user)
            cursor.bind(blob: device.id)
            guard try cursor.next() else { continue }
            let session = try cursor.row(SessionRow.self)
            found[session.id] = session
        }
        return Array(found.values)
    }
}
