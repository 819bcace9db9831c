import NephosStorage

/// Reads of users, and of sessions in orders of their own.
final class PeopleReader {
    private let tables: TableReader
    private let unrevokedSessions, sessionsOfDevice: Query

    init(_ connection: Connection, _ tables: TableReader) {
        self.tables = tables
        let session = "SELECT \(TableSQL.list(SessionRow.table)) FROM sessions"
        unrevokedSessions = Query(
            connection,
            """
            \(session) INDEXED BY sessions_by_user WHERE user_id = ? AND revoked_at = 0
            ORDER BY expires_at DESC, id DESC LIMIT ?
            """)
        // A courier that was registered before the column came has it where webhooks have their secret.
        sessionsOfDevice = Query(
            connection,
            """
            \(session) WHERE id = (SELECT CASE WHEN session = x'' AND channel = 1 THEN secret ELSE session END
                FROM devices WHERE db = ? AND user_id = ? AND id = ?)
            """)
    }

    func sessions(_ scan: SessionScan) throws(StorageError) -> [SessionRow] {
        var rows: [SessionRow] = []
        switch scan {
        case .unrevoked(let user, let limit):
            var cursor = try unrevokedSessions.start()
            cursor.bind(user)
            cursor.bind(Int64(limit))
            while try cursor.next() { rows.append(try cursor.row(SessionRow.self)) }
        case .ofDevices(let keys):
            var found: Set<[UInt8]> = []
            for key in keys {
                var cursor = try sessionsOfDevice.start()
                cursor.bind(key.database)
                cursor.bind(key.user)
                cursor.bind(blob: key.id)
                guard try cursor.next() else { continue }
                let session = try cursor.row(SessionRow.self)
                if found.insert(session.id).inserted { rows.append(session) }
            }
        }
        return rows
    }

    func user(_ key: UserKey) throws(StorageError) -> UserRow? {
        switch key {
        case .id(let id): try tables.rows(UserRow.keyed([id])).first
        case .source(let source, let id): try tables.rows(UserRow.from([(source, id)])).first
        }
    }
}
