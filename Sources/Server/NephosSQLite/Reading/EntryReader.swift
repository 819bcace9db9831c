import CloudKitWire
import NephosQueries
import NephosStorage

/// Reads of the table `index_rows`: the entries of indexes.
final class EntryReader {
    // Each bound is one comparison that the index answers. SQLite compares `(key, record_no) > (?, ?)` once more with every
    // row that it reads, which takes as long as reading it.
    private static let index = "FROM index_rows WHERE db = ? AND zone_no = ? AND index_no = ?"
    static let ofKey = "SELECT key, record_no \(index) AND key = ? AND record_no > ? ORDER BY record_no LIMIT ?"
    static let endless = "SELECT key, record_no \(index) AND key >= ? ORDER BY key, record_no LIMIT ?"
    static let ending = "SELECT key, record_no \(index) AND key >= ? AND key < ? ORDER BY key, record_no LIMIT ?"
    static let endlessCount = "SELECT count(*) FROM (SELECT 1 \(index) AND key >= ? LIMIT ?)"
    static let endingCount = "SELECT count(*) FROM (SELECT 1 \(index) AND key >= ? AND key < ? LIMIT ?)"

    private let ofKey: Query
    private let endless: Query
    private let ending: Query
    private let endlessCount: Query
    private let endingCount: Query

    init(_ connection: Connection) {
        ofKey = Query(connection, Self.ofKey)
        endless = Query(connection, Self.endless)
        ending = Query(connection, Self.ending)
        endlessCount = Query(connection, Self.endlessCount)
        endingCount = Query(connection, Self.endingCount)
    }

    /// Appends the first entries of a range, at most `limit`.
    func entries(
        in range: EntryRange, of database: DatabaseNumber, limit: Int, into entries: inout [IndexEntry]
    ) throws(StorageError) {
        var batch = EntryBatch()
        var range = range
        if let record = range.afterRecord {
            var cursor = try ofKey.start()
            cursor.bind(database)
            cursor.bind(range.zone)
            cursor.bind(range.index)
            cursor.bind(blob: range.lower)
            cursor.bind(record)
            cursor.bind(Int64(limit))
            try batch.take(&cursor)
            range.lower.append(0)
        }
        if batch.count < limit {
            var cursor = try range.upper == nil ? endless.start() : ending.start()
            bind(range, database, limit - batch.count, to: &cursor)
            try batch.take(&cursor)
        }
        batch.append(to: &entries)
    }

    /// How many entries a range has, or `limit` if it has more.
    func count(in range: EntryRange, of database: DatabaseNumber, limit: Int) throws(StorageError) -> Int {
        guard range.afterRecord == nil else {
            var found: [IndexEntry] = []
            try entries(in: range, of: database, limit: limit, into: &found)
            return found.count
        }
        var cursor = try range.upper == nil ? endlessCount.start() : endingCount.start()
        bind(range, database, limit, to: &cursor)
        return try cursor.next() ? Int(cursor.int(0)) : 0
    }

    /// Binds all but ``EntryRange/afterRecord``.
    private func bind(_ range: EntryRange, _ database: DatabaseNumber, _ limit: Int, to cursor: inout Cursor) {
        cursor.bind(database)
        cursor.bind(range.zone)
        cursor.bind(range.index)
        cursor.bind(blob: range.lower)
        if let upper = range.upper { cursor.bind(blob: upper) }
        cursor.bind(Int64(limit))
    }
}

/// Entries under way, with one piece of memory for all their keys.
private struct EntryBatch {
    private var keys: [UInt8] = []
    private var ends: [(key: Int, record: RecordNumber)] = []

    var count: Int { ends.count }

    mutating func take(_ cursor: inout Cursor) throws(StorageError) {
        while try cursor.next() {
            keys.append(contentsOf: cursor.raw(0))
            ends.append((keys.count, cursor.int(1)))
        }
    }

    func append(to entries: inout [IndexEntry]) {
        entries.reserveCapacity(entries.count + ends.count)
        var start = 0
        for end in ends {
            entries.append(IndexEntry(key: keys[start..<end.key], record: end.record))
            start = end.key
        }
    }
}
