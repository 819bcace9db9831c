import CloudKitWire
import NephosQueries
import NephosStorage

/// Reads of the table `index_rows`: the entries of indexes.
final class EntryReader {
    private static let range = "WHERE db = ? AND zone_no = ? AND index_no = ? AND (key, record_no) > (?, ?)"
    static let endless = "SELECT key, record_no FROM index_rows \(range) ORDER BY key, record_no LIMIT ?"
    static let ending = "SELECT key, record_no FROM index_rows \(range) AND key < ? ORDER BY key, record_no LIMIT ?"
    static let endlessCount = "SELECT count(*) FROM (SELECT 1 FROM index_rows \(range) LIMIT ?)"
    static let endingCount = "SELECT count(*) FROM (SELECT 1 FROM index_rows \(range) AND key < ? LIMIT ?)"

    private let endless: Query
    private let ending: Query
    private let endlessCount: Query
    private let endingCount: Query

    init(_ connection: Connection) {
        endless = Query(connection, Self.endless)
        ending = Query(connection, Self.ending)
        endlessCount = Query(connection, Self.endlessCount)
        endingCount = Query(connection, Self.endingCount)
    }

    /// Appends the first entries of a range, at most `limit`.
    func entries(
        in range: EntryRange, of database: DatabaseNumber, limit: Int, into entries: inout [IndexEntry]
    ) throws(StorageError) {
        var cursor = try range.upper == nil ? endless.start() : ending.start()
        bind(range, database, limit, to: &cursor)
        // One piece of memory for all keys of the batch.
        var keys: [UInt8] = []
        var ends: [(key: Int, record: RecordNumber)] = []
        while try cursor.next() {
            keys.append(contentsOf: cursor.raw(0))
            ends.append((keys.count, cursor.int(1)))
        }
        entries.reserveCapacity(entries.count + ends.count)
        var start = 0
        for end in ends {
            entries.append(IndexEntry(key: keys[start..<end.key], record: end.record))
            start = end.key
        }
    }

    /// How many entries a range has, or `limit` if it has more.
    func count(in range: EntryRange, of database: DatabaseNumber, limit: Int) throws(StorageError) -> Int {
        var cursor = try range.upper == nil ? endlessCount.start() : endingCount.start()
        bind(range, database, limit, to: &cursor)
        return try cursor.next() ? Int(cursor.int(0)) : 0
    }

    private func bind(_ range: EntryRange, _ database: DatabaseNumber, _ limit: Int, to cursor: inout Cursor) {
        cursor.bind(database)
        cursor.bind(range.zone)
        cursor.bind(range.index)
        cursor.bind(blob: range.lower)
        // Record numbers start at 1, so that all entries of the key come behind record 0.
        cursor.bind(range.afterRecord ?? 0)
        if let upper = range.upper { cursor.bind(blob: upper) }
        cursor.bind(Int64(limit))
    }
}
