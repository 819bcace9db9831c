import CloudKitWire
import NephosStorage

/// Reads of users and sessions.
final class PeopleReader {
    private let sessionByID: Query
    private let sessionsOfUser, unrevokedSessions, newestSessions, sessionsOfDevice, expiredSessions: Query
    private let userByID: Query
    private let userBySource: Query

    init(_ connection: Connection) {
        let session = CatalogTable.sessions.query()
        sessionByID = Query(connection, "\(session) WHERE id = ?")
        sessionsOfUser = Query(
            connection,
            "\(session) INDEXED BY sessions_by_user WHERE user_id = ? ORDER BY expires_at DESC, id DESC LIMIT ?")
        unrevokedSessions = Query(
            connection,
            """
            \(session) INDEXED BY sessions_by_user WHERE user_id = ? AND revoked_at = 0
            ORDER BY expires_at DESC, id DESC LIMIT ?
            """)
        newestSessions = Query(
            connection, "\(session) INDEXED BY sessions_by_end ORDER BY expires_at DESC, id DESC LIMIT ?")
        expiredSessions = Query(
            connection,
            "\(session) INDEXED BY sessions_by_end WHERE expires_at < ? ORDER BY expires_at, id LIMIT ?")
        // A courier that was registered before the column came has it where webhooks have their secret.
        sessionsOfDevice = Query(
            connection,
            """
            \(session) WHERE id = (SELECT CASE WHEN session = x'' AND channel = 1 THEN secret ELSE session END
                FROM devices WHERE db = ? AND user_id = ? AND id = ?)
            """)
        let user = "SELECT id, source, source_id, private_db, created_at FROM users"
        userByID = Query(connection, "\(user) WHERE id = ?")
        userBySource = Query(connection, "\(user) WHERE source = ? AND source_id = ?")
    }

    func session(_ id: [UInt8]) throws(StorageError) -> SessionRow? {
        var cursor = try sessionByID.start()
        cursor.bind(blob: id)
        return try cursor.next() ? try CatalogTable.session(cursor) : nil
    }

    func sessions(_ scan: SessionScan) throws(StorageError) -> [SessionRow] {
        var rows: [SessionRow] = []
        switch scan {
        case .of(let user, let limit), .unrevoked(let user, let limit):
            let query = if case .of = scan { sessionsOfUser } else { unrevokedSessions }
            var cursor = try query.start()
            cursor.bind(user)
            cursor.bind(Int64(limit))
            while try cursor.next() { rows.append(try CatalogTable.session(cursor)) }
        case .newest(let limit):
            var cursor = try newestSessions.start()
            cursor.bind(Int64(limit))
            while try cursor.next() { rows.append(try CatalogTable.session(cursor)) }
        case .ofDevices(let keys):
            var found: Set<[UInt8]> = []
            for key in keys {
                var cursor = try sessionsOfDevice.start()
                cursor.bind(key.database)
                cursor.bind(key.user)
                cursor.bind(blob: key.id)
                guard try cursor.next() else { continue }
                let session = try CatalogTable.session(cursor)
                if found.insert(session.id).inserted { rows.append(session) }
            }
        case .expired(let time, let limit):
            var cursor = try expiredSessions.start()
            cursor.bind(time)
            cursor.bind(Int64(limit))
            while try cursor.next() { rows.append(try CatalogTable.session(cursor)) }
        }
        return rows
    }

    func user(_ key: UserKey) throws(StorageError) -> UserRow? {
        switch key {
        case .id(let id):
            var cursor = try userByID.start()
            cursor.bind(id)
            return try cursor.next() ? try Self.user(cursor) : nil
        case .source(let source, let sourceID):
            var cursor = try userBySource.start()
            cursor.bind(source.rawValue)
            cursor.bind(sourceID)
            return try cursor.next() ? try Self.user(cursor) : nil
        }
    }

    /// Reads id, source, source_id, private_db, created_at.
    static func user(_ cursor: borrowing Cursor) throws(StorageError) -> UserRow {
        UserRow(
            id: try cursor.user(0), source: try cursor.kind(1, of: UserRow.Source.self), sourceID: cursor.string(2),
            privateDatabase: cursor.int(3), createdAt: cursor.int(4))
    }
}
