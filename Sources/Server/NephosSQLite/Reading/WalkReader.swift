import NephosStorage

/// Pages of the records of a database by number, in the order of the table.
struct WalkReader {
    let connection: Connection

    func page(_ walk: RecordWalk) throws(StorageError) -> WalkPage {
        var limiter = PageLimiter(walk)
        var records = RecordPage()
        var position = walk.above
        var cursor = try connection.start(
            Self.fromNumber, walk.database, walk.above, walk.database, min(walk.through, RowKey.numberMax))
        while try cursor.next() {
            guard limiter.admit(matches: true, bytes: Int(cursor.int(RecordColumns.size))) == .take else {
                return WalkPage(records: records.finish(), position: position)
            }
            try records.add(cursor, database: walk.database)
            position = cursor.int(RecordColumns.number)
        }
        return WalkPage(records: records.finish(), position: max(walk.above, walk.through))
    }

    private static let fromNumber = Statement(
        """
        SELECT \(RecordColumns.list) FROM records WHERE id > \(RowKey.id("?", "?")) AND id <= \(RowKey.id("?", "?"))
        ORDER BY id
        """)
}
