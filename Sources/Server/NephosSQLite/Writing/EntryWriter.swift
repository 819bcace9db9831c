import CloudKitWire
import NephosQueries
import NephosStorage

/// Writes of the table `index_rows`: the entries of indexes.
struct EntryWriter {
    let connection: Connection

    /// Adds an entry, unless it exists already.
    func insert(_ entry: StoredEntry, of database: DatabaseNumber) throws(StorageError) {
        try connection.run(Self.insertion, database, entry.zone, entry.index, entry.key, entry.record)
    }

    func remove(_ entry: StoredEntry, of database: DatabaseNumber) throws(StorageError) {
        try connection.run(Self.removal, database, entry.zone, entry.index, entry.key, entry.record)
    }

    /// Removes the first entries of an index in one zone. - Returns: Their number; less than `limit` if none is left.
    func removeFirst(_ limit: Int, of index: IndexRow, in zone: ZoneNumber) throws(StorageError) -> Int {
        Int(try connection.run(Self.removalOfFirst, index.database, zone, index.number, Int64(limit)))
    }

    // MARK: Statements

    /// The condition for one entry.
    static let isEntry = "db = ? AND zone_no = ? AND index_no = ? AND key = ? AND record_no = ?"

    private static let insertion = Statement(
        "INSERT OR IGNORE INTO index_rows (db, zone_no, index_no, key, record_no) VALUES (?,?,?,?,?)")
    private static let removal = Statement("DELETE FROM index_rows WHERE \(isEntry)")
    /// Removes everything up to the last entry to remove: they are stored consecutively.
    static let removalOfFirst = Statement(
        """
        DELETE FROM index_rows WHERE db = ?1 AND zone_no = ?2 AND index_no = ?3 AND (key, record_no) <= (
            SELECT key, record_no FROM (
                SELECT key, record_no FROM index_rows WHERE db = ?1 AND zone_no = ?2 AND index_no = ?3
                ORDER BY key, record_no LIMIT ?4
            ) ORDER BY key DESC, record_no DESC LIMIT 1
        )
        """)
}
