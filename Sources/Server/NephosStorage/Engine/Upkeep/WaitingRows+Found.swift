extension WaitingRows {
    /// Finds the waiting rows of a tenant, each kind by an index.
    package init(foundBy runner: some TenantRunner) throws(StorageError) {
        let range = [Statements.dead, Statements.unfinished].map { $0(runner.firstDatabase, runner.databasesEnd) }
        let times = [Statements.tombstone, Statements.swept, Statements.trash, Statements.file].map {
            $0(runner.number)
        }
        var found = (range + times).map { _ in Int64?.none }
        try runner.run(range + times) { call, row in found[call] = row.int(0) }
        hasDeadZones = found[0] != nil
        hasUnfinishedIndexes = found[1] != nil
        tombstone = [found[2], found[3]].compactMap { $0 }.min()
        trash = found[4]
        releasedFile = found[5]
    }
}

private enum Statements {
    static let dead = SharedStatement(
        """
        SELECT CAST(1 AS bigint) FROM zones INDEXED BY zones_dead WHERE state = 1 AND db >= $1 AND db < $2
        ORDER BY db, zone_no LIMIT 1
        """)
    static let unfinished = SharedStatement(
        """
        SELECT CAST(1 AS bigint) FROM indexes INDEXED BY indexes_unfinished
        WHERE state <> 1 AND state IN (0, 2) AND db >= $1 AND db < $2 LIMIT 1
        """)
    static let tombstone = SharedStatement(
        """
        SELECT deleted_at FROM tombstones INDEXED BY tombstones_by_time WHERE db >> 40 = $1
        ORDER BY deleted_at, db, zone_no, seq LIMIT 1
        """)
    static let swept = SharedStatement(
        """
        SELECT deleted_at FROM zones INDEXED BY zones_swept WHERE state = 2 AND db >> 40 = $1
        ORDER BY deleted_at, db, zone_no LIMIT 1
        """)
    static let trash = SharedStatement(
        """
        SELECT deleted_at FROM trash INDEXED BY trash_by_time WHERE db >> 40 = $1
        ORDER BY deleted_at, db, record_no LIMIT 1
        """)
    static let file = SharedStatement(
        """
        SELECT released_at FROM assets INDEXED BY assets_released WHERE db >> 40 = $1 AND released_at > 0
        ORDER BY released_at, db, address LIMIT 1
        """)
}
