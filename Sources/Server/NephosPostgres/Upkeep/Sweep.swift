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

    init(_ session: WriteSession, rows: Int, at now: Milliseconds) {
        self.session = session
        self.now = now
        budget = Int64(max(rows, 1))
    }

    /// - Returns: Whether there is more to sweep.
    func run() throws(StorageError) -> Bool {
        let range = session.tenant.range
        let first = Call(Self.firstDead) {
            $0.add(range.lowerBound)
            $0.add(range.upperBound)
        }
        guard let dead = try session.find([first])?.first?.first else { return false }
        let (stored, number) = (dead.int(0), dead.int(1))
        let database = session.tenant.database(stored)
        try session.lock([database])
        let time = max(try session.lockHead(database)?.time ?? 0, now)
        // A zone that is dead stays dead, so that its rows may go whatever happened until the head was locked.
        let answers = Array(try session.transaction.run(calls(stored, number, at: time)))
        guard answers.count == 3, let swept = answers[1].first else { throw .failed("a sweep has no answer") }
        let removed = try count(swept, in: database)
        if removed >= budget { return true }
        if let row = answers[0].first {
            var zone = try ZoneReader(tenant: session.tenant).read(row)
            // Another process may have found out first that nothing is left.
            guard zone.state == .dead else { return true }
            zone.state = .swept
            try session.zoneWriter.update(zone)
        }
        return answers[2].count > 0
    }

    private func calls(_ stored: Int64, _ zone: ZoneNumber, at time: Milliseconds) -> [Call] {
        [
            Call(Self.zone) {
                $0.add(stored)
                $0.add(zone)
            },
            Call(Self.removal) {
                $0.add(stored)
                $0.add(zone)
                $0.add(budget)
                $0.add(max(time, 1))
            },
            Call(Self.nextDead) {
                $0.add(session.tenant.range.upperBound)
                $0.add(stored)
                $0.add(zone)
            },
        ]
    }

    /// Takes what was removed off the head. - Returns: How many rows that are.
    private func count(_ swept: Row, in database: DatabaseNumber) throws(StorageError) -> Int64 {
        let (references, entries, records, bytes, tombstones) =
            (swept.int(0), swept.int(1), swept.int(2), swept.int(3), swept.int(4))
        let (holders, uses, assetBytes) = (swept.int(5), swept.int(6), swept.int(7))
        if references + records + tombstones + holders > 0 {
            try session.changeHead(database) {
                $0.references -= references
                $0.records -= records
                $0.recordBytes -= bytes
                $0.tombstones -= tombstones
                $0.assets -= uses
                $0.assetBytes -= assetBytes
            }
        }
        return references + entries + records + tombstones + holders
    }

    // MARK: Statements

    /// Not `NOT EXISTS`, which becomes a join over all events of all databases.
    private static let isTold = """
        coalesce((
            SELECT false FROM change_events AS e
            WHERE e.db = zones.db AND e.zone_no = zones.zone_no AND e.has_record = 1 LIMIT 1), true)
        """
    private static let firstDead = Statement(
        """
        SELECT db, zone_no FROM zones WHERE state = 1 AND db >= $1 AND db < $2 AND \(isTold)
        ORDER BY db, zone_no LIMIT 1
        """)
    private static let nextDead = Statement(
        """
        SELECT db FROM zones WHERE state = 1 AND db < $1 AND (db, zone_no) > ($2, $3) AND \(isTold)
        ORDER BY db, zone_no LIMIT 1
        """)
    private static let zone = Statement("SELECT \(ZoneReader.columns) FROM zones WHERE db = $1 AND zone_no = $2")

    /// Takes from each table what the ones before it left of the budget.
    private static let removal = Statement(
        """
        WITH gone_refs AS (
            DELETE FROM refs AS t USING (
                SELECT target, kind, record_no FROM refs WHERE db = $1 AND zone_no = $2
                ORDER BY target, kind, record_no LIMIT $3
            ) AS old
            WHERE t.db = $1 AND t.zone_no = $2 AND t.target = old.target AND t.kind = old.kind
                AND t.record_no = old.record_no
            RETURNING 1
        ), gone_entries AS (
            DELETE FROM index_rows AS t USING (
                SELECT index_no, key, record_no FROM index_rows WHERE db = $1 AND zone_no = $2
                ORDER BY index_no, key, record_no LIMIT $3 - (SELECT count(*) FROM gone_refs)
            ) AS old
            WHERE t.db = $1 AND t.zone_no = $2 AND t.index_no = old.index_no AND t.key = old.key
                AND t.record_no = old.record_no
            RETURNING 1
        ), gone AS (
            DELETE FROM asset_refs AS t USING (
                SELECT record_no, address FROM asset_refs WHERE db = $1 AND zone_no = $2
                ORDER BY record_no, address
                LIMIT $3 - (SELECT count(*) FROM gone_refs) - (SELECT count(*) FROM gone_entries)
            ) AS old
            WHERE t.db = $1 AND t.zone_no = $2 AND t.record_no = old.record_no AND t.address = old.address
            RETURNING t.zone_no, t.record_no, t.address, t.uses, t.size
        ), released AS (\(AssetWriter.release(at: "$4"))
        ), gone_records AS (
            DELETE FROM records AS t USING (
                SELECT record_no FROM records WHERE db = $1 AND zone_no = $2
                ORDER BY seq LIMIT $3 - (SELECT count(*) FROM gone_refs) - (SELECT count(*) FROM gone_entries)
                    - (SELECT count(*) FROM gone)
            ) AS old
            WHERE t.db = $1 AND t.record_no = old.record_no
            RETURNING t.size
        ), gone_tombstones AS (
            DELETE FROM tombstones AS t USING (
                SELECT seq FROM tombstones WHERE db = $1 AND zone_no = $2
                ORDER BY seq LIMIT $3 - (SELECT count(*) FROM gone_refs) - (SELECT count(*) FROM gone_entries)
                    - (SELECT count(*) FROM gone) - (SELECT count(*) FROM gone_records)
            ) AS old
            WHERE t.db = $1 AND t.zone_no = $2 AND t.seq = old.seq
            RETURNING 1
        )
        SELECT (SELECT count(*) FROM gone_refs), (SELECT count(*) FROM gone_entries),
            (SELECT count(*) FROM gone_records), (SELECT coalesce(sum(size), 0)::bigint FROM gone_records),
            (SELECT count(*) FROM gone_tombstones), (SELECT count(*) FROM gone),
            (SELECT coalesce(sum(uses), 0)::bigint FROM gone),
            (SELECT coalesce(sum(uses * size), 0)::bigint FROM gone)
        """)
}

extension PostgresTenantStore {
    package func sweepDeadZones(rows: Int, at now: Milliseconds) async throws -> Bool {
        try await perform { session throws(StorageError) in try Sweep(session, rows: rows, at: now).run() }
    }
}
