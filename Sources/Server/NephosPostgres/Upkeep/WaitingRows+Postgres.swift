package import NephosStorage

extension PostgresTenantStore {
    package func waitingRows() throws(StorageError) -> WaitingRows {
        try pool.withConnectionRetrying { connection throws(StorageError) in
            let (number, range) = (number, number.range)
            let ofRange = { (statement: Statement) in
                Call(statement) {
                    $0.add(range.lowerBound)
                    $0.add(range.upperBound)
                }
            }
            let ofTenant = { (statement: Statement) in Call(statement) { $0.add(number.value) } }
            let answers = try connection.run(
                [Statements.dead, Statements.unfinished].map(ofRange)
                    + [Statements.tombstone, Statements.swept, Statements.trash, Statements.file].map(ofTenant))
            let found = try answers.map { rows throws(StorageError) in rows.first?.int(0) }
            guard found.count == 6 else { throw .failed("a statement has no answer") }
            var rows = WaitingRows()
            rows.hasDeadZones = found[0] != nil
            rows.hasUnfinishedIndexes = found[1] != nil
            rows.tombstone = [found[2], found[3]].compactMap { $0 }.min()
            rows.trash = found[4]
            rows.releasedFile = found[5]
            return rows
        }
    }
}

private enum Statements {
    static let dead = Statement(
        "SELECT 1::bigint FROM zones WHERE state = 1 AND db >= $1 AND db < $2 ORDER BY db, zone_no LIMIT 1")
    static let unfinished = Statement(
        "SELECT 1::bigint FROM indexes WHERE state <> 1 AND state IN (0, 2) AND db >= $1 AND db < $2 LIMIT 1")
    static let tombstone = Statement(
        "SELECT deleted_at FROM tombstones WHERE db >> 40 = $1 ORDER BY deleted_at, db, zone_no, seq LIMIT 1")
    static let swept = Statement(
        "SELECT deleted_at FROM zones WHERE state = 2 AND db >> 40 = $1 ORDER BY deleted_at, db, zone_no LIMIT 1")
    static let trash = Statement(
        "SELECT deleted_at FROM trash WHERE db >> 40 = $1 ORDER BY deleted_at, db, record_no LIMIT 1")
    static let file = Statement(
        """
        SELECT released_at FROM assets WHERE db >> 40 = $1 AND released_at > 0
        ORDER BY released_at, db, address LIMIT 1
        """)
}
