import CloudKitWire
import NephosStorage

/// Reads of the table `refs`: the records that refer to a record.
struct ReferenceReader {
    let tenant: TenantNumber

    /// The records that refer to the targets of these scans, one call for each database: at most `rowsMax` rows in each result.
    ///
    /// - Parameter within: ``ReadSet/within``.
    func referrers(
        _ scans: [ReferrerScan], rowsMax: Int, within: [ZoneKey: [ShareNumber]]
    ) throws(StorageError) -> [Call] {
        try scans.groups(by: \.zone.database).map { database, scans throws(StorageError) in
            var zones = ZonePlaces(stored: try tenant.stored(database))
            var visible = VisibleShares()
            let places = scans.map { scan in
                let place = zones.place(of: scan.zone)
                if !within.isEmpty { visible.add(place, within[scan.zone]) }
                return place
            }
            var call = Call(
                visible.isEmpty ? Self.naming : Self.namingWithin, zones, places, scans.map(\.target),
                scans.map(\.kind.rawValue), scans.map { Int64($0.limit) }, scans.map(\.above), Int64(rowsMax))
            if !visible.isEmpty { visible.add(to: &call.values) }
            return call
        }
    }

    /// - Parameters:
    ///   - answers: The results of ``referrers(_:rowsMax:)``.
    ///   - rowsMax: Maximum number of rows of all scans together.
    func read(
        _ answers: ArraySlice<Rows>, _ scans: [ReferrerScan], rowsMax: Int
    ) throws(StorageError) -> [[RecordStub]] {
        var stubs = [[RecordStub]](repeating: [], count: scans.count)
        let databases = scans.indices.groups { scans[$0].zone.database }
        for (database, rows) in zip(databases, answers) {
            try rows.forEach { row throws(StorageError) in
                let place = database.members[Int(row.int(StubColumns.count)) - 1]
                stubs[place].append(try StubColumns.read(row, tenant))
            }
        }
        var left = rowsMax
        for place in stubs.indices {
            if stubs[place].count > left { stubs[place].removeLast(stubs[place].count - left) }
            left -= stubs[place].count
            if stubs[place].count > 1 { stubs[place].sort { $0.number < $1.number } }
        }
        return stubs
    }

    /// Follows references from target to target, each looked up once, so that cycles end and each edge is returned once. Ends
    /// at the scan's limit.
    ///
    /// - Parameter within: ``ReadSet/within``.
    func cascade(_ scan: CascadeScan, within: [ZoneKey: [ShareNumber]]) throws(StorageError) -> Call {
        let (place, limit) = (try scan.zone.place(tenant), Int64(scan.limit))
        guard let shares = within.isEmpty ? nil : within[scan.zone] else {
            return Call(Self.walk, place, scan.roots, limit, scan.kind.rawValue)
        }
        return Call(Self.walkWithin, place, scan.roots, limit, scan.kind.rawValue, shares)
    }

    func edges(_ rows: Rows) throws(StorageError) -> [CascadeEdge] {
        try rows.map { row throws(StorageError) in
            CascadeEdge(target: row.name(StubColumns.count), record: try StubColumns.read(row, tenant))
        }
    }

    private static let naming = Statement(naming(isVisible: "true"))
    private static let namingWithin = Statement(
        naming(isVisible: VisibleShares.condition(10, place: "key.zone", share: "r.share_root")))
    private static let walk = Statement(walk(isVisible: "true"))
    private static let walkWithin = Statement(walk(isVisible: "r.share_root = ANY($7::bigint[])"))

    /// Without an order, which would require all rows before the first is returned.
    ///
    /// - Parameter isVisible: SQL for whether a record is visible.
    private static func naming(isVisible: String) -> String {
        """
        WITH \(ZonePlaces.table)
        SELECT \(StubColumns.list), key.place
        FROM unnest($4::bigint[], $5::bytea[], $6::bigint[], $7::bigint[], $8::bigint[])
            WITH ORDINALITY AS key (zone, target, kind, most, above, place)
        JOIN zone ON zone.place = key.zone
        CROSS JOIN LATERAL (
            \(holders(of: "key.target", "key.kind", above: "key.above", in: "zone.zone_no", limit: "key.most", isVisible))
        ) AS r LIMIT $9
        """
    }

    /// A recursion returns rows in the order in which it finds them, and continues only while more are needed. UNION skips
    /// targets that were found before.
    private static func walk(isVisible: String) -> String {
        let heirs = holders(
            of: "found.target", "$6", above: "0", in: "(SELECT number FROM zone)", limit: "$5", isVisible)
        return """
            WITH RECURSIVE zone (number) AS MATERIALIZED (SELECT \(ZonePlace.number)), found (target) AS (
                SELECT name FROM unnest($4::bytea[]) AS root (name)
                UNION
                SELECT r.name FROM found CROSS JOIN LATERAL (\(heirs)) AS r
            )
            SELECT \(StubColumns.list), found.target
            FROM found CROSS JOIN LATERAL (\(heirs)) AS r LIMIT $5
            """
    }

    /// SQL for the records that refer to a target in the database `$1`, by number.
    private static func holders(
        of target: String, _ kind: String, above: String, in zone: String, limit: String, _ isVisible: String
    ) -> String {
        """
        SELECT \(StubColumns.list) FROM refs AS f
            CROSS JOIN LATERAL (SELECT * FROM records WHERE db = $1 AND record_no = f.record_no LIMIT 1) AS r
            WHERE f.db = $1 AND f.zone_no = \(zone) AND f.target = \(target) AND f.kind = \(kind)
                AND f.record_no > \(above) AND \(isVisible)
            ORDER BY f.record_no LIMIT \(limit)
        """
    }
}
