import CloudKitWire
import NephosQueries
import NephosStorage

/// Writes of the table `index_rows`: the entries of indexes.
final class EntryWriter {
    private let connection: Connection
    private let insertion: Query
    private let removal: Query
    private let removalOfFirst: Query

    init(_ connection: Connection) {
        self.connection = connection
        insertion = Query(
            connection,
            "INSERT OR IGNORE INTO index_rows (db, zone_no, index_no, key, record_no) VALUES (?,?,?,?,?)")
        removal = Query(connection, "DELETE FROM index_rows WHERE \(Self.isEntry)")
        removalOfFirst = Query(connection, Self.removalOfFirst)
    }

    /// True of one entry.
    static let isEntry = "db = ? AND zone_no = ? AND index_no = ? AND key = ? AND record_no = ?"

    /// Up to the last of those that go: they lie side by side.
    static let removalOfFirst = """
        DELETE FROM index_rows WHERE db = ?1 AND zone_no = ?2 AND index_no = ?3 AND (key, record_no) <= (
            SELECT key, record_no FROM (
                SELECT key, record_no FROM index_rows WHERE db = ?1 AND zone_no = ?2 AND index_no = ?3
                ORDER BY key, record_no LIMIT ?4
            ) ORDER BY key DESC, record_no DESC LIMIT 1
        )
        """

    /// Adds an entry, unless it is there already.
    func insert(_ entry: StoredEntry, of database: DatabaseNumber) throws(StorageError) {
        var cursor = try insertion.start()
        cursor.bind(entry, of: database)
        try cursor.finish()
    }

    func remove(_ entry: StoredEntry, of database: DatabaseNumber) throws(StorageError) {
        var cursor = try removal.start()
        cursor.bind(entry, of: database)
        try cursor.finish()
    }

    /// Removes the first entries of an index in one zone. - Returns: How many; less than `limit` when none is left.
    func removeFirst(_ limit: Int, of index: IndexRow, in zone: ZoneNumber) throws(StorageError) -> Int {
        var cursor = try removalOfFirst.start()
        cursor.bind(index.database)
        cursor.bind(zone)
        cursor.bind(index.number)
        cursor.bind(Int64(limit))
        try cursor.finish()
        return Int(connection.changes)
    }
}

extension Cursor {
    mutating func bind(_ entry: StoredEntry, of database: DatabaseNumber) {
        bind(database)
        bind(entry.zone)
        bind(entry.index)
        bind(blob: entry.key)
        bind(entry.record)
    }
}
