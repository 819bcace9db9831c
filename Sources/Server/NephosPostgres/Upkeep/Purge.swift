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
        guard let found = try session.find([call(Self.oldTombstones), call(Self.sweptZones)]) else {
            return false
        }
        let old = try (found.first?.map(oldTombstones)) ?? []
        let purged = old.reduce(0) { $0 + $1.count }
        let zones = try (found.last?.map(sweptZone)) ?? []
        let forgotten = Array(zones.prefix(Int(budget - purged)))
        try session.lock(old.map(\.zone.database) + forgotten.map(\.database))
        try forget(old, forgotten)
        return purged + Int64(forgotten.count) == budget
    }

    private func call(_ statement: Statement) -> Call {
        Call(statement) {
            $0.add(session.tenant.value)
            $0.add(time)
            $0.add(budget)
        }
    }

    // MARK: What there is to forget

    private struct Zone {
        let database: DatabaseNumber
        let number: ZoneNumber
    }

    /// Old tombstones of one zone.
    private struct OldTombstones {
        let zone: Zone
        let newest: Sequence
        let count: Int64
    }

    private func sweptZone(_ row: Row) -> Zone {
        Zone(database: session.tenant.database(row.int(0)), number: row.int(1))
    }

    private func oldTombstones(_ row: Row) -> OldTombstones {
        OldTombstones(zone: sweptZone(row), newest: row.int(2), count: row.int(3))
    }

    // MARK: Forgetting

    private func forget(_ old: [OldTombstones], _ swept: [Zone]) throws(StorageError) {
        let tombstones = old.groups(by: \.zone.database)
        let zones = swept.groups(by: \.database)
        var calls: [Call] = []
        for (database, old) in tombstones { calls += try removals(database, old) }
        for (database, swept) in zones { calls.append(try removal(database, swept)) }
        var answers = try session.transaction.run(calls)
        guard answers.count == calls.count else { throw .failed("a purge has no answer") }
        for (database, _) in tombstones {
            let gone = Int64(answers.removeFirst().touched)
            if gone > 0 { try session.changeHead(database) { $0.tombstones -= gone } }
            try answers.removeFirst().forEach { row throws(StorageError) in
                var zone = try ZoneReader(tenant: session.tenant).read(row)
                zone.purgedSequence = max(zone.purgedSequence, row.int(ZoneReader.columnCount))
                try session.zoneWriter.update(zone)
            }
        }
        for (database, _) in zones {
            try answers.removeFirst().forEach { row throws(StorageError) in
                try session.changeHead(database) {
                    $0.zones -= 1
                    $0.purgedSequence = max($0.purgedSequence, row.int(0))
                }
            }
        }
    }

    /// Removes old tombstones of a database, and reads their zones.
    private func removals(_ database: DatabaseNumber, _ old: [OldTombstones]) throws(StorageError) -> [Call] {
        let stored = try session.tenant.stored(database)
        return [Self.tombstoneRemoval, Self.zones].map { statement in
            Call(statement) {
                $0.add(stored)
                $0.add(numbers: old.map(\.zone.number))
                $0.add(numbers: old.map(\.newest))
            }
        }
    }

    private func removal(_ database: DatabaseNumber, _ swept: [Zone]) throws(StorageError) -> Call {
        let stored = try session.tenant.stored(database)
        return Call(Self.zoneRemoval) {
            $0.add(stored)
            $0.add(numbers: swept.map(\.number))
        }
    }

    // MARK: Statements

    private static let oldTombstones = Statement(
        """
        SELECT db, zone_no, max(seq), count(*) FROM (
            SELECT db, zone_no, seq FROM tombstones WHERE db >> 40 = $1 AND deleted_at < $2
            ORDER BY deleted_at, db, zone_no, seq LIMIT $3
        ) AS old
        GROUP BY db, zone_no
        """)
    private static let sweptZones = Statement(
        """
        SELECT db, zone_no FROM zones WHERE state = 2 AND db >> 40 = $1 AND deleted_at < $2
        ORDER BY deleted_at, db, zone_no LIMIT $3
        """)

    /// Times never run backwards within a database, so that what lies before the newest is at least as old.
    private static let tombstoneRemoval = Statement(
        """
        DELETE FROM tombstones AS t USING unnest($2::bigint[], $3::bigint[]) AS old (zone_no, newest)
        WHERE t.db = $1 AND t.zone_no = old.zone_no AND t.seq <= old.newest
        """)
    private static let zones = Statement(
        """
        SELECT \(ZoneReader.columns), old.newest
        FROM unnest($2::bigint[], $3::bigint[]) AS old (zone_no, newest)
        JOIN zones ON zones.db = $1 AND zones.zone_no = old.zone_no
        """)
    /// A zone that was swept stays so; and asking for it again might tempt the planner to read all that were.
    private static let zoneRemoval = Statement(
        """
        DELETE FROM zones AS t USING unnest($2::bigint[]) AS old (zone_no)
        WHERE t.db = $1 AND t.zone_no = old.zone_no
        RETURNING t.changed_seq
        """)
}

extension PostgresTenantStore {
    package func purgeTombstones(deletedBefore time: Milliseconds, rows: Int) async throws -> Bool {
        try await perform { session throws(StorageError) in
            try Purge(session, deletedBefore: time, rows: rows).run()
        }
    }
}
