import CloudKitWire
import NephosStorage

/// Reads of the table `refs`: the records that refer to a record.
struct ReferenceReader {
    let connection: Connection

    func referrers(_ scan: ReferrerScan, in place: ZonePlace) throws(StorageError) -> [RecordStub] {
        try stubs(place, scan.target, scan.kind, limit: scan.limit)
    }

    /// Follows references from target to target, each looked up once, so that cycles end and each edge is returned once.
    func cascade(_ scan: CascadeScan, in place: ZonePlace) throws(StorageError) -> [CascadeEdge] {
        var edges: [CascadeEdge] = []
        var seen = Set(scan.roots)
        var targets = scan.roots
        var next = 0
        while next < targets.count, edges.count < scan.limit {
            let target = targets[next]
            next += 1
            for stub in try stubs(place, target, .deleteSelf, limit: scan.limit - edges.count) {
                edges.append(CascadeEdge(target: target, record: stub))
                if seen.insert(stub.name).inserted { targets.append(stub.name) }
            }
        }
        return edges
    }

    private func stubs(
        _ place: ZonePlace, _ target: Name, _ kind: ReferenceKind, limit: Int
    ) throws(StorageError) -> [RecordStub] {
        guard let zone = place.number else { return [] }
        return try connection.rows(
            Self.naming, place.database, zone, target, kind.rawValue, Int64(limit)
        ) { row throws(StorageError) in
            try StubColumns.read(row, database: place.database, name: row.name(StubColumns.name))
        }
    }

    private static let naming = Statement(
        """
        SELECT \(StubColumns.list) FROM refs f JOIN records r ON r.id = \(RowKey.id("f.db", "f.record_no"))
        WHERE f.db = ? AND f.zone_no = ? AND f.target = ? AND f.kind = ? ORDER BY f.record_no LIMIT ?
        """)
}
