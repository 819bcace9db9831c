import CloudKitWire
import NephosDomain
import NephosStorage

/// Writes the claims of records that existed before their constraints.
struct EstablishClaims {
    private let constraints: TypeConstraints
    private let records: [RecordRow]
    private let database: DatabaseNumber

    /// - Parameter records: As read; their claims are recomputed from the stored records.
    init(_ constraints: TypeConstraints, _ records: [RecordRow], in database: DatabaseNumber) {
        (self.constraints, self.records, self.database) = (constraints, records, database)
    }

    var reading: ReadSet {
        var set = ReadSet()
        set.databases = [database]
        set.records = records.map { RecordKey(zone: .number($0.database, $0.zone), name: $0.name) }
        return set
    }

    /// Returns the claims that cannot be granted, with their records.
    func decide(_ reading: Reading) -> Decision<[(Constraint, RecordRow)]> {
        guard let type = reading.catalog.types[constraints.type] else { return .write(WriteSet(), []) }
        let rows = reading.records.compactMap { found in
            if case .record(let row) = found, row.type == type.row.number { row } else { nil }
        }
        let changes = rows.map { row in
            let claims = constraints.claims(
                of: constraints.values(in: row.liveFields(of: type)), type.row, reading.catalog, in: row.zone)
            return ClaimBook.Change(zone: row.zone, name: row.name, old: claims.map(\.claim), new: claims)
        }
        let scans = ClaimBook.Scans(changes, in: database)
        if let more = reading.unread(of: scans.reading) { return .need(more) }
        var book = ClaimBook(scans, reading.found)
        let conflicts = book.settle(changes)
        var set = WriteSet()
        for row in book.writes.removed { set.remove(row) }
        for (row, old) in book.writes.put { set.put(row, replacing: old) }
        return .write(set, conflicts.sorted { $0.key < $1.key }.map { ($0.value.constraint, rows[$0.key]) })
    }
}
