import CloudKitWire
import NephosStorage

/// Reads of the table `refs`: who names a record.
final class ReferenceReader {
    private let naming: Query

    init(_ connection: Connection) {
        naming = Query(
            connection,
            """
            SELECT \(StubColumns.list) FROM refs f JOIN records r ON r.id = \(RowKey.id("f.db", "f.record_no"))
            WHERE f.db = ? AND f.zone_no = ? AND f.target = ? AND f.kind = ? ORDER BY f.record_no LIMIT ?
            """)
    }

    func referrers(_ scan: ReferrerScan, in place: ZonePlace) throws(StorageError) -> [RecordStub] {
        try stubs(place, scan.target, scan.kind, limit: scan.limit)
    }

    /// Walks from target to target, each looked up once: cycles end by themselves, and an edge comes once.
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
        var cursor = try naming.start()
        cursor.bind(place.database)
        cursor.bind(zone)
        cursor.bind(target)
        cursor.bind(kind.rawValue)
        cursor.bind(Int64(limit))
        var stubs: [RecordStub] = []
        while try cursor.next() {
            let name = cursor.name(StubColumns.name)
            stubs.append(try StubColumns.read(cursor, database: place.database, name: name))
        }
        return stubs
    }
}
