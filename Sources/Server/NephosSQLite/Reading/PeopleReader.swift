import CloudKitWire
import NephosStorage

/// Reads of heads, users and sessions.
final class PeopleReader {
    private let headByNumber: Query
    private let sessionByID: Query
    private let userByID: Query
    private let userBySource: Query

    init(_ connection: Connection) {
        headByNumber = Query(connection, "SELECT \(HeadColumns.list) FROM heads WHERE db = ?")
        sessionByID = Query(connection, "\(CatalogTable.sessions.query()) WHERE id = ?")
        let user = "SELECT id, source, source_id, private_db, created_at FROM users"
        userByID = Query(connection, "\(user) WHERE id = ?")
        userBySource = Query(connection, "\(user) WHERE source = ? AND source_id = ?")
    }

    func head(_ database: DatabaseNumber) throws(StorageError) -> HeadRow? {
        var cursor = try headByNumber.start()
        cursor.bind(database)
        return try cursor.next() ? try HeadColumns.read(cursor) : nil
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

/// Columns of a head, in the order of ``HeadColumns/read(_:)``.
enum HeadColumns {
    static let list = """
        db, kind, owner, seq, last_record_no, last_zone_no, last_time, purged_seq, watchers, records, record_bytes, \
        tombstones, refs, events, zones, live_zones
        """

    static func read(_ cursor: borrowing Cursor) throws(StorageError) -> HeadRow {
        var row = HeadRow(
            database: cursor.int(0), kind: try cursor.kind(1, of: DatabaseKind.self),
            owner: cursor.isNull(2) ? nil : try cursor.user(2))
        row.sequence = cursor.int(3)
        row.recordNumber = cursor.int(4)
        row.zoneNumber = cursor.int(5)
        row.time = cursor.int(6)
        row.purgedSequence = cursor.int(7)
        row.watchers = cursor.int(8)
        row.records = cursor.int(9)
        row.recordBytes = cursor.int(10)
        row.tombstones = cursor.int(11)
        row.references = cursor.int(12)
        row.events = cursor.int(13)
        row.zones = cursor.int(14)
        row.liveZones = cursor.int(15)
        return row
    }
}
