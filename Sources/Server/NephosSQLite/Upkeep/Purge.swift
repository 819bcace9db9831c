import CloudKitWire
package import NephosStorage

/// Forgets tombstones of records and zones that were deleted before a time, a bounded number in one transaction.
struct Purge {
    private let session: WriteSession
    private let time: Milliseconds
    private let budget: Int64

    init(_ session: WriteSession, deletedBefore time: Milliseconds, rows: Int) {
        self.session = session
        self.time = time
        budget = Int64(max(rows, 1))
    }

    /// - Returns: Whether there is more to purge.
    func run() throws(StorageError) -> Bool {
        _ = try session.catalog()
        let tombstones = try oldTombstones()
        for zone in tombstones { try forget(zone) }
        let purged = tombstones.reduce(0) { $0 + $1.count }
        guard purged < budget else { return true }
        let zones = try sweptZones(limit: budget - purged)
        for zone in zones { try forget(zone) }
        return purged + Int64(zones.count) == budget
    }

    // MARK: Tombstones of records

    /// Old tombstones of one zone.
    private struct OldTombstones {
        let database: DatabaseNumber
        let zone: ZoneNumber
        let newest: Sequence
        let count: Int64
    }

    private func oldTombstones() throws(StorageError) -> [OldTombstones] {
        var cursor = try session.connection.once(
            """
            SELECT db, zone_no, max(seq), count(*) FROM (
                SELECT db, zone_no, seq FROM tombstones INDEXED BY tombstones_by_time
                WHERE deleted_at < ? ORDER BY deleted_at, db, zone_no, seq LIMIT ?)
            GROUP BY db, zone_no
            """
        )
        cursor.bind(time)
        cursor.bind(budget)
        var zones: [OldTombstones] = []
        while try cursor.next() {
            zones.append(
                OldTombstones(
                    database: cursor.int(0), zone: cursor.int(1), newest: cursor.int(2), count: cursor.int(3)))
        }
        return zones
    }

    /// Times never run backwards within a database, so that what lies before the newest is at least as old.
    private func forget(_ old: OldTombstones) throws(StorageError) {
        var cursor = try session.connection.once("DELETE FROM tombstones WHERE db = ? AND zone_no = ? AND seq <= ?")
        cursor.bind(old.database)
        cursor.bind(old.zone)
        cursor.bind(old.newest)
        try cursor.finish()
        let removed = session.connection.changes
        try session.changeHead(old.database) { $0.tombstones -= removed }
        guard var zone = try session.reader.zones.zone(.number(old.database, old.zone)) else { return }
        zone.purgedSequence = max(zone.purgedSequence, old.newest)
        try session.writer.zones.update(zone)
    }

    // MARK: Tombstones of zones

    private func sweptZones(limit: Int64) throws(StorageError) -> [ZoneRow] {
        var cursor = try session.connection.once(
            """
            SELECT db, zone_no FROM zones INDEXED BY zones_swept
            WHERE state = 2 AND deleted_at < ? ORDER BY deleted_at, db, zone_no LIMIT ?
            """
        )
        cursor.bind(time)
        cursor.bind(limit)
        var zones: [ZoneRow] = []
        while try cursor.next() {
            let key = ZoneKey.number(cursor.int(0), cursor.int(1))
            if let zone = try session.reader.zones.zone(key) { zones.append(zone) }
        }
        return zones
    }

    private func forget(_ zone: ZoneRow) throws(StorageError) {
        try session.writer.zones.remove(zone.number, in: zone.database)
        try session.changeHead(zone.database) {
            $0.zones -= 1
            $0.purgedSequence = max($0.purgedSequence, zone.changedSequence)
        }
    }
}

extension SQLiteTenantStore {
    package func purgeTombstones(deletedBefore time: Milliseconds, rows: Int) async throws -> Bool {
        try await perform { session throws(StorageError) in
            try Purge(session, deletedBefore: time, rows: rows).run()
        }
    }
}
