import CloudKitWire
import NephosQueries
import NephosStorage

/// Checks that indexes hold what the records say: the keys of every record that is in, and nothing else.
///
/// Each key of a record is looked up among the entries. Those that were found are counted; an entry more than that
/// is one that belongs to no record.
struct IndexCheck {
    private struct Place: Hashable, Comparable {
        var database: DatabaseNumber
        var index: IndexNumber

        static func < (one: Place, other: Place) -> Bool {
            (one.database, one.index) < (other.database, other.index)
        }
    }

    private let reader: TenantReader
    private let entry: Query
    private var indexes: [Place: IndexRow] = [:]
    /// Entries that belong to a record.
    private var found: [Place: Int] = [:]

    init(_ connection: Connection, _ reader: TenantReader) {
        self.reader = reader
        entry = Query(
            connection,
            "SELECT 1 FROM index_rows WHERE db = ? AND zone_no = ? AND index_no = ? AND key = ? AND record_no = ?")
    }

    mutating func checkIndexes(_ walk: inout TableWalk) throws(StorageError) {
        try walk.each(
            "indexes",
            """
            SELECT \(IndexReader.columns), db, checksum,
                (SELECT index_version FROM heads h WHERE h.db = indexes.db)
            FROM indexes
            """
        ) { cursor, findings throws(StorageError) in
            let database = cursor.int(IndexReader.columnCount)
            guard let row = try IndexReader.row(cursor, database) else {
                throw .corrupt("the shape of index \(cursor.int(0)) of database \(database) cannot be read")
            }
            let name = "index \(row.number) of database \(database)"
            indexes[Place(database: database, index: row.number)] = row
            findings.expect(
                row.checksum == cursor.int(IndexReader.columnCount + 1), "indexes", "\(name): its checksum is wrong")
            findings.expect(
                row.number <= cursor.int(IndexReader.columnCount + 2), "indexes",
                "\(name): its number was never given out")
        }
    }

    /// Looks for the entries of every record of a database that has indexes.
    mutating func checkRecords(_ walk: inout TableWalk) throws(StorageError) {
        for database in Set(indexes.keys.map(\.database)).sorted() {
            let rows = indexes.values.filter { $0.database == database }
            let kept = KeptIndexes.byType(rows)
            try walk.each(
                "records",
                """
                SELECT \(RecordColumns.list), (SELECT state FROM zones z
                    WHERE z.db = records.db AND z.zone_no = records.zone_no)
                FROM records WHERE db = \(database)
                """, isCounted: false
            ) { cursor, findings throws(StorageError) in
                guard let indexes = kept[try cursor.type(RecordColumns.type)] else { return }
                let record = try RecordPage.row(cursor, database: database)
                let isLive = cursor.int(RecordColumns.count) == ZoneRow.State.live.rawValue
                for (number, keys) in zip(indexes.numbers, indexes.keys(of: record)) {
                    try look(for: keys, of: record, in: number, isLive: isLive, &findings)
                }
            }
        }
    }

    /// A dead zone loses its entries before its records, so that there they need not be.
    private mutating func look(
        for keys: [Bytes], of record: RecordRow, in number: IndexNumber, isLive: Bool, _ findings: inout Findings
    ) throws(StorageError) {
        let place = Place(database: record.database, index: number)
        guard let index = indexes[place] else { return }
        let isDue = isLive && (index.state == .ready || record.number <= index.builtTo)
        for key in keys {
            let isThere = try has(key, of: record, in: number)
            if isThere { found[place, default: 0] += 1 }
            findings.expect(
                isThere || !isDue, "index_rows",
                "index \(number) of database \(record.database): an entry of record \(record.number) is missing")
        }
    }

    private func has(_ key: Bytes, of record: RecordRow, in index: IndexNumber) throws(StorageError) -> Bool {
        var cursor = try entry.start()
        cursor.bind(record.database)
        cursor.bind(record.zone)
        cursor.bind(index)
        cursor.bind(blob: key)
        cursor.bind(record.number)
        return try cursor.next()
    }

    mutating func checkEntries(_ walk: inout TableWalk) throws(StorageError) {
        var counts: [Place: Int] = [:]
        try walk.each("index_rows", "SELECT db, index_no FROM index_rows") { cursor, _ throws(StorageError) in
            counts[Place(database: cursor.int(0), index: cursor.int(1)), default: 0] += 1
        }
        for (place, count) in counts.sorted(by: { $0.key < $1.key }) {
            let name = "index \(place.index) of database \(place.database)"
            guard let index = indexes[place] else {
                walk.findings.add("index_rows", "\(name): there is no such index, but it has \(count) entries")
                continue
            }
            // Nobody keeps the entries of a dropped index: they go, whatever they say.
            guard index.state != .dropped else { continue }
            let known = found[place] ?? 0
            walk.findings.expect(
                count == known, "index_rows", "\(name): \(count - known) entries belong to no record")
        }
    }
}
