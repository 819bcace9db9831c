import CloudKitWire
import NephosStorage

/// Reads of the table `heads`.
final class HeadReader {
    private let byNumber: Query

    init(_ connection: Connection) {
        byNumber = Query(connection, "SELECT \(HeadColumns.list) FROM heads WHERE db = ?")
    }

    func head(_ database: DatabaseNumber) throws(StorageError) -> HeadRow? {
        var cursor = try byNumber.start()
        cursor.bind(database)
        return try cursor.next() ? try HeadColumns.read(cursor) : nil
    }
}

/// Columns of a head, in the order of ``HeadColumns/read(_:)``.
enum HeadColumns {
    static let list = """
        db, kind, owner, seq, last_record_no, last_zone_no, last_time, purged_seq, watchers, records, record_bytes, \
        tombstones, refs, events, zones, live_zones, cascades, index_version, trash, assets, asset_bytes, rows_digest
        """

    /// How many columns ``read(_:)`` looks at; others may follow.
    static let count: Int32 = 22
    /// A parameter for each column.
    static let parameters = Array(repeating: "?", count: Int(count)).joined(separator: ",")

    static func read(_ cursor: borrowing Cursor) throws(StorageError) -> HeadRow {
        var row = HeadRow(
            database: cursor.int(0), kind: try cursor.kind(1, of: DatabaseKind.self),
            owner: cursor.isNull(2) ? nil : try cursor.user(2))
        row.sequence = cursor.int(3)
        row.recordNumber = cursor.int(4)
        row.zoneNumber = cursor.int(5)
        row.time = cursor.int(6)
        row.purgedSequence = cursor.int(7)
        row.watchers = Watchers(rawValue: cursor.int(8))
        row.records = cursor.int(9)
        row.recordBytes = cursor.int(10)
        row.tombstones = cursor.int(11)
        row.references = cursor.int(12)
        row.events = cursor.int(13)
        row.zones = cursor.int(14)
        row.liveZones = cursor.int(15)
        row.cascades = cursor.int(16)
        row.indexVersion = cursor.int(17)
        row.trash = cursor.int(18)
        row.assets = cursor.int(19)
        row.assetBytes = cursor.int(20)
        row.rowsDigest = cursor.int(21)
        return row
    }
}
