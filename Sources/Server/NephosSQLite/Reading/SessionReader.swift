import NephosStorage

/// Reads the sessions of devices, which involves two tables.
struct SessionReader {
    let connection: Connection

    /// Each session once, in any order.
    func sessions(of devices: [DeviceKey]) throws(StorageError) -> [SessionRow] {
        var found: [[UInt8]: SessionRow] = [:]
        for device in devices {
            var rows = try connection.start(Self.named, device.database, device.user, device.id)
            guard try rows.next() else { continue }
            let session = try rows.row(SessionRow.self)
            found[session.id] = session
        }
        return Array(found.values)
    }

    /// A courier that was registered before the column was added has its session in the column of the secret.
    private static let named = Statement(
        """
        SELECT \(TableSQL.list(SessionRow.table)) FROM sessions
        WHERE id = (SELECT CASE WHEN session = x'' AND channel = 1 THEN secret ELSE session END
            FROM devices WHERE db = ? AND user_id = ? AND id = ?)
        """)
}
