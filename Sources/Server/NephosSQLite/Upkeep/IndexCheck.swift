import CloudKitWire
import NephosQueries
import NephosStorage

/// Checks that indexes hold what the records say.
struct IndexCheck {
    private let entry: Query
    private var audit = IndexAudit()

    init(_ connection: Connection) {
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
            audit.judge(
                row, checksum: cursor.int(IndexReader.columnCount + 1),
                version: cursor.int(IndexReader.columnCount + 2), &findings)
        }
    }

    /// Looks for the entries of every record of a database that has indexes.
    mutating func checkRecords(_ walk: inout TableWalk) throws(StorageError) {
        for database in audit.databases {
            let kept = audit.kept(in: database)
            try walk.each(
                "records",
                """
                SELECT \(RecordColumns.list), (SELECT state FROM zones z
                    WHERE z.db = records.db AND z.zone_no = records.zone_no)
                FROM records WHERE \(RowKey.isOf(database))
                """, isCounted: false
            ) { cursor, findings throws(StorageError) in
                guard let indexes = kept[try cursor.type(RecordColumns.type)] else { return }
                let record = try RecordPage.row(cursor, database: database)
                let isLive = cursor.int(RecordColumns.count) == ZoneRow.State.live.rawValue
                for entry in audit.entries(of: record, in: indexes, isLive: isLive) {
                    audit.judge(entry, isThere: try has(entry), &findings)
                }
            }
        }
    }

    private func has(_ wanted: IndexAudit.Entry) throws(StorageError) -> Bool {
        var cursor = try entry.start()
        cursor.bind(wanted.place.database)
        cursor.bind(wanted.zone)
        cursor.bind(wanted.place.index)
        cursor.bind(blob: wanted.key)
        cursor.bind(wanted.record)
        return try cursor.next()
    }

    mutating func checkEntries(_ walk: inout TableWalk) throws(StorageError) {
        try walk.each("index_rows", "SELECT db, index_no FROM index_rows") { cursor, _ throws(StorageError) in
            audit.count(IndexAudit.Place(database: cursor.int(0), index: cursor.int(1)))
        }
        audit.finish(&walk.findings)
    }
}
