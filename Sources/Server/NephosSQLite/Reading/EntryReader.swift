import CloudKitWire
import NephosQueries
import NephosStorage

/// Reads of the table `index_rows`: the entries of indexes.
struct EntryReader {
    let connection: Connection

    /// Appends the first entries of a range, at most `limit`.
    func entries(
        in range: EntryRange, of database: DatabaseNumber, limit: Int, into entries: inout [IndexEntry]
    ) throws(StorageError) {
        var batch = EntryBatch()
        var (lower, limit) = (range.lower, Int64(limit))
        if let record = range.afterRecord {
            var rows = try connection.start(
                Self.ofKey, database, range.zone, range.index, range.lower, record, limit)
            try batch.take(&rows)
            lower.append(0)
            limit -= Int64(batch.count)
        }
        if limit > 0 {
            var rows =
                if let upper = range.upper {
                    try connection.start(Self.ending, database, range.zone, range.index, lower, upper, limit)
                } else {
                    try connection.start(Self.endless, database, range.zone, range.index, lower, limit)
                }
            try batch.take(&rows)
        }
        batch.append(to: &entries)
    }

    /// The number of entries in a range, at most `limit`.
    func count(in range: EntryRange, of database: DatabaseNumber, limit: Int) throws(StorageError) -> Int {
        guard range.afterRecord == nil else {
            var found: [IndexEntry] = []
            try entries(in: range, of: database, limit: limit, into: &found)
            return found.count
        }
        let (zone, index, lower) = (range.zone, range.index, range.lower)
        var rows =
            if let upper = range.upper {
                try connection.start(Self.endingCount, database, zone, index, lower, upper, Int64(limit))
            } else {
                try connection.start(Self.endlessCount, database, zone, index, lower, Int64(limit))
            }
        return try rows.next() ? Int(rows.int(0)) : 0
    }

    // MARK: Statements

    // Each bound is one comparison that the index evaluates. SQLite compares `(key, record_no) > (?, ?)` once more with every
    // row that it reads, which takes as long as reading it.
    private static let index = "FROM index_rows WHERE db = ? AND zone_no = ? AND index_no = ?"
    static let ofKey = Statement(
        "SELECT key, record_no \(index) AND key = ? AND record_no > ? ORDER BY record_no LIMIT ?")
    static let endless = Statement("SELECT key, record_no \(index) AND key >= ? ORDER BY key, record_no LIMIT ?")
    static let ending = Statement(
        "SELECT key, record_no \(index) AND key >= ? AND key < ? ORDER BY key, record_no LIMIT ?")
    static let endlessCount = Statement("SELECT count(*) FROM (SELECT 1 \(index) AND key >= ? LIMIT ?)")
    static let endingCount = Statement("SELECT count(*) FROM (SELECT 1 \(index) AND key >= ? AND key < ? LIMIT ?)")
}

/// The entries of a query in progress, with one piece of memory for all their keys.
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
