import CloudKitWire
package import NephosStorage

/// Removes the rows of one dead zone, a bounded number in one transaction.
///
/// References, entries of indexes and uses of files go first, so that none ever stands without its record; a record of a dead zone
/// may stand without them for a while. A zone whose records somebody is still to be told of waits.
struct Sweep {
    private let session: WriteSession
    private let budget: Int64
    private let now: Milliseconds
    private var removed: Int64 = 0

    init(_ session: WriteSession, rows: Int, at now: Milliseconds) {
        self.session = session
        self.now = now
        budget = Int64(max(rows, 1))
    }

    /// - Returns: Whether there is more to sweep.
    mutating func run() throws(StorageError) -> Bool {
        _ = try session.catalog()
        guard let zone = try nextDead(after: nil) else { return false }
        guard let head = try session.reader.heads.head(zone.database) else {
            throw .corrupt("heads: database \(zone.database) is missing")
        }
        var ledger = Ledger(stored: [head])
        try removeReferences(of: zone, &ledger)
        if head.indexVersion > 0 { try removeEntries(of: zone) }
        if head.assets > 0 { try removeAssetUses(of: zone, at: max(head.time, now), &ledger) }
        try removeRecords(of: zone, &ledger)
        try removeTombstones(of: zone, &ledger)
        // With budget left nothing was left behind.
        let isSwept = removed < budget
        if isSwept {
            var swept = zone
            swept.state = .swept
            try session.writer.zones.update(swept)
        }
        for head in ledger.moved { try session.writer.heads.update(head) }
        guard isSwept else { return true }
        return try nextDead(after: zone) != nil
    }

    private func nextDead(after zone: ZoneRow?) throws(StorageError) -> ZoneRow? {
        var cursor = try session.connection.once(
            """
            SELECT db, zone_no FROM zones INDEXED BY zones_dead
            WHERE state = 1 AND (db, zone_no) > (?, ?) AND NOT EXISTS (
                SELECT 1 FROM change_events AS e WHERE e.db = zones.db AND e.zone_no = zones.zone_no AND e.has_record = 1)
            ORDER BY db, zone_no LIMIT 1
            """
        )
        cursor.bind(zone?.database ?? -1)
        cursor.bind(zone?.number ?? -1)
        guard try cursor.next() else { return nil }
        return try session.reader.zones.zone(.number(cursor.int(0), cursor.int(1)))
    }

    private mutating func removeReferences(of zone: ZoneRow, _ ledger: inout Ledger) throws(StorageError) {
        let count = try remove(
            """
            DELETE FROM refs WHERE db = ?1 AND zone_no = ?2 AND (target, kind, record_no) IN (
                SELECT target, kind, record_no FROM refs WHERE db = ?1 AND zone_no = ?2 LIMIT ?3)
            RETURNING 0
            """, zone
        ).rows
        if count > 0 { try ledger.count(zone.database) { $0.references -= count } }
    }

    private mutating func removeEntries(of zone: ZoneRow) throws(StorageError) {
        _ = try remove(
            """
            DELETE FROM index_rows WHERE db = ?1 AND zone_no = ?2 AND (index_no, key, record_no) IN (
                SELECT index_no, key, record_no FROM index_rows WHERE db = ?1 AND zone_no = ?2 LIMIT ?3)
            RETURNING 0
            """, zone)
    }

    private mutating func removeAssetUses(
        of zone: ZoneRow, at time: Milliseconds, _ ledger: inout Ledger
    ) throws(StorageError) {
        guard removed < budget else { return }
        var cursor = try session.connection.once(
            """
            DELETE FROM asset_refs WHERE db = ?1 AND zone_no = ?2 AND (record_no, address) IN (
                SELECT record_no, address FROM asset_refs WHERE db = ?1 AND zone_no = ?2 LIMIT ?3)
            RETURNING address, size, uses
            """)
        cursor.bind(zone.database)
        cursor.bind(zone.number)
        cursor.bind(budget - removed)
        var uses: [AssetUse] = []
        while try cursor.next() {
            uses.append(AssetUse(address: Array(cursor.raw(0)), size: cursor.int(1), count: cursor.int(2)))
        }
        removed += Int64(uses.count)
        try session.writer.assets.letGo(of: uses, in: zone.database, at: time, &ledger)
    }

    private mutating func removeRecords(of zone: ZoneRow, _ ledger: inout Ledger) throws(StorageError) {
        let (count, bytes) = try remove(
            """
            DELETE FROM records WHERE id IN (
                SELECT id FROM records INDEXED BY records_by_seq WHERE db = ?1 AND zone_no = ?2 LIMIT ?3)
            RETURNING size
            """, zone)
        guard count > 0 else { return }
        try ledger.count(zone.database) {
            $0.records -= count
            $0.recordBytes -= bytes
        }
    }

    private mutating func removeTombstones(of zone: ZoneRow, _ ledger: inout Ledger) throws(StorageError) {
        let count = try remove(
            """
            DELETE FROM tombstones WHERE db = ?1 AND zone_no = ?2 AND seq IN (
                SELECT seq FROM tombstones WHERE db = ?1 AND zone_no = ?2 ORDER BY seq LIMIT ?3)
            RETURNING 0
            """, zone
        ).rows
        if count > 0 { try ledger.count(zone.database) { $0.tombstones -= count } }
    }

    /// Runs a deletion within the budget.
    ///
    /// - Returns: How many rows it removed, and the sum of what it returned for each.
    private mutating func remove(
        _ sql: String, _ zone: ZoneRow
    ) throws(StorageError) -> (rows: Int64, sum: Int64) {
        guard removed < budget else { return (0, 0) }
        var cursor = try session.connection.once(sql)
        cursor.bind(zone.database)
        cursor.bind(zone.number)
        cursor.bind(budget - removed)
        var count: Int64 = 0
        var sum: Int64 = 0
        while try cursor.next() {
            count += 1
            sum += cursor.int(0)
        }
        removed += count
        return (count, sum)
    }
}

extension SQLiteTenantStore {
    package func sweepDeadZones(rows: Int, at now: Milliseconds) async throws -> Bool {
        try await perform { session throws(StorageError) in
            var sweep = Sweep(session, rows: rows, at: now)
            return try sweep.run()
        }
    }
}
