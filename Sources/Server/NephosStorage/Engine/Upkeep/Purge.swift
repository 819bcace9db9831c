/// Removes tombstones of records and zones that were deleted before a time, a bounded number in one transaction.
struct Purge {
    let session: any UpkeepSession
    let time: Milliseconds
    let budget: Int64

    /// - Returns: Whether there is more to purge.
    func run() throws(StorageError) -> Bool {
        var (old, swept) = ([OldTombstones](), [ZoneNumbers]())
        let calls = [Statements.oldTombstones, Statements.sweptZones].map {
            $0(session.number, .int(time), .int(budget))
        }
        try session.run(calls) { call, row in
            if call == 1 { return swept.append(ZoneNumbers(row)) }
            old.append(OldTombstones(place: ZoneNumbers(row), newest: row.int(2), count: row.int(3)))
        }
        let purged = old.reduce(0) { $0 + $1.count }
        let forgotten = Array(swept.prefix(Int(budget - purged)))
        try session.lock(old.map(\.place.database) + forgotten.map(\.database))
        try forget(old, forgotten)
        return purged + Int64(forgotten.count) == budget
    }

    /// The old tombstones of one zone.
    private struct OldTombstones {
        let place: ZoneNumbers
        let newest: Sequence
        let count: Int64
    }

    private func forget(_ old: [OldTombstones], _ swept: [ZoneNumbers]) throws(StorageError) {
        let tombstones = old.flatMap { old in
            let (database, zone) = (ColumnValue.database(old.place.database), ColumnValue.int(old.place.zone))
            return [Statements.tombstoneRemoval(database, zone, .int(old.newest)), ZoneRow.byNumber(database, zone)]
        }
        let zones = swept.map { Statements.zoneRemoval(.database($0.database), .int($0.zone)) }
        var gone = old.map { _ in Int64(0) }
        var (purged, forgotten) = ([ZoneRow](), [(database: DatabaseNumber, deletedAt: Sequence)]())
        try session.run(tombstones + zones) { call, row throws(StorageError) in
            if call >= tombstones.count {
                forgotten.append((swept[call - tombstones.count].database, row.int(0)))
            } else if call.isMultiple(of: 2) {
                gone[call / 2] += 1
            } else {
                var zone = try ZoneRow(row)
                zone.purgedSequence = max(zone.purgedSequence, old[call / 2].newest)
                purged.append(zone)
            }
        }
        for (old, gone) in zip(old, gone) where gone > 0 {
            try session.changeHead(old.place.database) { $0.tombstones -= gone }
        }
        for zone in purged { try session.update(zone) }
        for zone in forgotten {
            try session.changeHead(zone.database) {
                $0.zones -= 1
                $0.purgedSequence = max($0.purgedSequence, zone.deletedAt)
            }
        }
    }
}

private enum Statements {
    static let oldTombstones = SharedStatement(
        """
        SELECT db, zone_no, max(seq), count(*) FROM (
            SELECT db, zone_no, seq FROM tombstones INDEXED BY tombstones_by_time
            WHERE db >> 40 = $1 AND deleted_at < $2 ORDER BY deleted_at, db, zone_no, seq LIMIT $3
        ) AS old
        GROUP BY db, zone_no
        """)
    static let sweptZones = SharedStatement(
        """
        SELECT db, zone_no FROM zones INDEXED BY zones_swept WHERE state = 2 AND db >> 40 = $1 AND deleted_at < $2
        ORDER BY deleted_at, db, zone_no LIMIT $3
        """)
    /// Times never run backwards within a database, so tombstones with lower sequences are at least as old.
    static let tombstoneRemoval = SharedStatement(
        "DELETE FROM tombstones WHERE db = $1 AND zone_no = $2 AND seq <= $3 RETURNING CAST(1 AS bigint)")
    /// Has no condition on `state`: a swept zone stays swept, and the condition might lead the planner to read all
    /// swept zones.
    static let zoneRemoval = SharedStatement(
        "DELETE FROM zones WHERE db = $1 AND zone_no = $2 RETURNING changed_seq")
}
