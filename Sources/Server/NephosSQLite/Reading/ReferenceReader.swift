import CloudKitWire
import NephosStorage

/// Reads of the table `refs`: the records that refer to a record.
struct ReferenceReader {
    let connection: Connection

    func referrers(_ scan: ReferrerScan, in place: ZonePlace) throws(StorageError) -> [RecordStub] {
        try stubs(place, scan.target, scan.kind, above: scan.above, limit: scan.limit)
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
            for stub in try stubs(place, target, scan.kind, limit: scan.limit - edges.count) {
                edges.append(CascadeEdge(target: target, record: stub))
                if seen.insert(stub.name).inserted { targets.append(stub.name) }
            }
        }
        return edges
    }

    private func stubs(
        _ place: ZonePlace, _ target: Name, _ kind: ReferenceKind, above: RecordNumber = 0, limit: Int
    ) throws(StorageError) -> [RecordStub] {
        guard let zone = place.number else { return [] }
        var stubs: [RecordStub] = []
        // What is not visible does not count.
        let most = place.shares == nil ? Int64(limit) : .max
        var cursor = try connection.start(Self.naming, place.database, zone, target, kind.rawValue, above, most)
        while stubs.count < limit, try cursor.next() {
            guard place.shows(cursor.optionalInt(StubColumns.share)) else { continue }
            stubs.append(
                try StubColumns.read(cursor, database: place.database, name: cursor.name(StubColumns.name)))
        }
        return stubs
    }

    private static let naming = Statement(
        """
        SELECT \(StubColumns.list) FROM refs f JOIN records r ON r.id = \(RowKey.id("f.db", "f.record_no"))
        WHERE f.db = ? AND f.zone_no = ? AND f.target = ? AND f.kind = ? AND f.record_no > ?
        ORDER BY f.record_no LIMIT ?
        """)
}
