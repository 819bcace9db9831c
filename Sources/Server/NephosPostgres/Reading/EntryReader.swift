import CloudKitWire
import NephosQueries
import NephosStorage

/// Reads of the table `index_rows`: the entries of indexes.
struct EntryReader {
    let tenant: TenantNumber

    /// The first entries of a range, at most `limit`.
    func entries(in range: EntryRange, of database: DatabaseNumber, limit: Int) throws(StorageError) -> Call {
        try call(range.upper == nil ? Self.endless : Self.ending, range, database, limit)
    }

    /// Appends entries of a result, with their keys in one piece of memory.
    static func read(_ rows: Rows, _ part: Range<Int>, into entries: inout [IndexEntry]) {
        let count = part.reduce(0) { $0 + rows[$1].raw(0).count }
        let keys = [UInt8](unsafeUninitializedCapacity: count) { buffer, end in
            end = 0
            for index in part {
                let key = rows[index].raw(0)
                _ = buffer[end..<end + key.count].initialize(from: key)
                end += key.count
            }
        }
        entries.reserveCapacity(entries.count + part.count)
        var start = 0
        for index in part {
            let row = rows[index]
            let end = start + row.raw(0).count
            entries.append(IndexEntry(key: keys[start..<end], record: row.int(1)))
            start = end
        }
    }

    /// The number of entries in a range, at most `limit`: one row.
    func count(in range: EntryRange, of database: DatabaseNumber, limit: Int) throws(StorageError) -> Call {
        try call(range.upper == nil ? Self.endlessCount : Self.endingCount, range, database, limit)
    }

    private func call(
        _ statement: Statement, _ range: EntryRange, _ database: DatabaseNumber, _ limit: Int
    ) throws(StorageError) -> Call {
        // Record numbers start at 1, so that all entries of the key are after record 0.
        var call = Call(
            statement, try tenant.stored(database), range.zone, range.index, range.lower[...], range.afterRecord ?? 0,
            Int64(limit))
        if let upper = range.upper { call.values.add(bytes: upper) }
        return call
    }

    private static let range =
        "FROM index_rows WHERE db = $1 AND zone_no = $2 AND index_no = $3 AND (key, record_no) > ($4, $5)"
    private static let order = "ORDER BY key, record_no LIMIT $6"
    private static let endless = Statement("SELECT key, record_no \(range) \(order)")
    private static let ending = Statement("SELECT key, record_no \(range) AND key < $7 \(order)")
    private static let endlessCount = Statement("SELECT count(*) FROM (SELECT 1 \(range) LIMIT $6) AS entries")
    private static let endingCount = Statement(
        "SELECT count(*) FROM (SELECT 1 \(range) AND key < $7 LIMIT $6) AS entries")
}
