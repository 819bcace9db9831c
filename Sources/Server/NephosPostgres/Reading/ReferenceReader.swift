import CloudKitWire
import NephosStorage

/// Reads of the table `refs`: the records that refer to a record.
struct ReferenceReader {
    let tenant: TenantNumber

    /// The records that refer to the targets of these scans, one call for each database: at most `rowsMax` rows in each result.
    func referrers(_ scans: [ReferrerScan], rowsMax: Int) throws(StorageError) -> [Call] {
        try scans.groups(by: \.zone.database).map { database, scans throws(StorageError) in
            var zones = ZonePlaces(stored: try tenant.stored(database))
            let places = scans.map { zones.place(of: $0.zone) }
            return Call(
                Self.naming, zones, places, scans.map(\.target), scans.map(\.kind.rawValue),
                scans.map { Int64($0.limit) }, Int64(rowsMax))
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
    func cascade(_ scan: CascadeScan) throws(StorageError) -> Call {
        Call(Self.walk, try scan.zone.place(tenant), scan.roots, Int64(scan.limit))
    }

    func edges(_ rows: Rows) throws(StorageError) -> [CascadeEdge] {
        try rows.map { row throws(StorageError) in
            CascadeEdge(target: row.name(StubColumns.count), record: try StubColumns.read(row, tenant))
        }
    }

    /// Without an order, which would require all rows before the first is returned.
    private static let naming = Statement(
        """
        WITH \(ZonePlaces.table)
        SELECT \(StubColumns.list), key.place
        FROM unnest($4::bigint[], $5::bytea[], $6::bigint[], $7::bigint[])
            WITH ORDINALITY AS key (zone, target, kind, most, place)
        JOIN zone ON zone.place = key.zone
        CROSS JOIN LATERAL (
            \(holders(of: "key.target", "key.kind", in: "zone.zone_no", limit: "key.most"))
        ) AS r LIMIT $8
        """)

    /// A recursion returns rows in the order in which it finds them, and continues only while more are needed. UNION skips
    /// targets that were found before.
    private static let walk = Statement(
        """
        WITH RECURSIVE zone (number) AS MATERIALIZED (SELECT \(ZonePlace.number)), found (target) AS (
            SELECT name FROM unnest($4::bytea[]) AS root (name)
            UNION
            SELECT r.name FROM found CROSS JOIN LATERAL (\(heirs)) AS r
        )
        SELECT \(StubColumns.list), found.target
        FROM found CROSS JOIN LATERAL (\(heirs)) AS r LIMIT $5
        """)

    /// SQL for the records that refer to a target in the database `$1`, by number.
    private static func holders(of target: String, _ kind: String, in zone: String, limit: String) -> String {
        """
        SELECT \(StubColumns.list) FROM refs AS f
            CROSS JOIN LATERAL (SELECT * FROM records WHERE db = $1 AND record_no = f.record_no LIMIT 1) AS r
            WHERE f.db = $1 AND f.zone_no = \(zone) AND f.target = \(target) AND f.kind = \(kind)
            ORDER BY f.record_no LIMIT \(limit)
        """
    }

    private static let heirs = holders(
        of: "found.target", "\(ReferenceKind.deleteSelf.rawValue)", in: "(SELECT number FROM zone)", limit: "$5")
}
