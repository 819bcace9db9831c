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

    mutating func run(_ walk: inout TableWalk) throws(StorageError) {
        try audit.checkIndexes(&walk)
        try checkRecords(&walk)
        try audit.checkEntries(&walk)
    }

    /// Looks for the entries of every record of a database that has indexes.
    private mutating func checkRecords(_ walk: inout TableWalk) throws(StorageError) {
        for database in audit.databases {
            let kept = audit.kept(in: database)
            try walk.each(
                "records",
                """
                SELECT \(RecordRow.columns.joined(separator: ", ")), (SELECT state FROM zones z
                    WHERE z.db = records.db AND z.zone_no = records.zone_no)
                FROM records WHERE \(RowKey.isOf(database))
                """, isCounted: false, label: { "row \($0.int(0))/\($0.int(1))" }
            ) { row, findings throws(StorageError) in
                guard let indexes = kept[try row.type(6)] else { return }
                let record = try RecordRow(row)
                let isLive = row.int(Int32(RecordRow.columns.count)) == ZoneRow.State.live.rawValue
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
}
