import CloudKitWire
import NephosStorage

/// Reads of users and sessions.
final class PeopleReader {
    private let sessionByID: Query
    private let userByID: Query
    private let userBySource: Query

    init(_ connection: Connection) {
        sessionByID = Query(connection, "\(CatalogTable.sessions.query()) WHERE id = ?")
        let user = "SELECT id, source, source_id, private_db, created_at FROM users"
        userByID = Query(connection, "\(user) WHERE id = ?")
        userBySource = Query(connection, "\(user) WHERE source = ? AND source_id = ?")
    }

    func session(_ id: [UInt8]) throws(StorageError) -> SessionRow? {
        var cursor = try sessionByID.start()
        cursor.bind(blob: id)
        return try cursor.next() ? try CatalogTable.session(cursor) : nil
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
