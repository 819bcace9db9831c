import CloudKitWire
import NephosQueries
import NephosStorage

/// Writes of the table `index_rows`: the entries of indexes.
final class EntryWriter {
    private let connection: Connection
    private let insertion: Query
    private let removal: Query
    private let boundary: Query
    private let removalBelow: Query
    private let removalOfAll: Query

    init(_ connection: Connection) {
        self.connection = connection
        // An index that is being built meets entries which writers added before it came to their records.
        insertion = Query(
            connection,
            "INSERT OR IGNORE INTO index_rows (db, zone_no, index_no, key, record_no) VALUES (?,?,?,?,?)")
        let index = "WHERE db = ? AND zone_no = ? AND index_no = ?"
        removal = Query(connection, "DELETE FROM index_rows \(index) AND key = ? AND record_no = ?")
        boundary = Query(
            connection, "SELECT key, record_no FROM index_rows \(index) ORDER BY key, record_no LIMIT 1 OFFSET ?")
        removalBelow = Query(connection, "DELETE FROM index_rows \(index) AND (key, record_no) < (?, ?)")
        removalOfAll = Query(connection, "DELETE FROM index_rows \(index)")
    }

    /// Adds an entry, unless it is there already.
    func insert(_ key: Bytes, of record: RecordRow, in index: IndexNumber) throws(StorageError) {
        try run(insertion, key, record, index)
    }

    func remove(_ key: Bytes, of record: RecordRow, in index: IndexNumber) throws(StorageError) {
        try run(removal, key, record, index)
    }

    private func run(
        _ query: Query, _ key: Bytes, _ record: RecordRow, _ index: IndexNumber
    ) throws(StorageError) {
        var cursor = try query.start()
        cursor.bind(record.database)
        cursor.bind(record.zone)
        cursor.bind(index)
        cursor.bind(blob: key)
        cursor.bind(record.number)
        try cursor.finish()
    }

    /// Removes the first entries of an index in one zone. - Returns: How many; less than `limit` when none is left.
    func removeFirst(_ limit: Int, of index: IndexRow, in zone: ZoneNumber) throws(StorageError) -> Int {
        let end = try entry(behind: limit, of: index, in: zone)
        var cursor = try end == nil ? removalOfAll.start() : removalBelow.start()
        cursor.bind(index.database)
        cursor.bind(zone)
        cursor.bind(index.number)
        if let end {
            cursor.bind(blob: end.key)
            cursor.bind(end.record)
        }
        try cursor.finish()
        return Int(connection.changes)
    }

    private func entry(
        behind count: Int, of index: IndexRow, in zone: ZoneNumber
    ) throws(StorageError) -> IndexEntry? {
        var cursor = try boundary.start()
        cursor.bind(index.database)
        cursor.bind(zone)
        cursor.bind(index.number)
        cursor.bind(Int64(count))
        return try cursor.next() ? IndexEntry(key: cursor.bytes(0)[...], record: cursor.int(1)) : nil
    }
}
