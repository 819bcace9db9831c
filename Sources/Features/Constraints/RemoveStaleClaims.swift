import CloudKitWire
import NephosDomain
import NephosStorage

/// Removes claims of some constraints that no record has, in batches of rows of a database.
struct RemoveStaleClaims {
    private static let rows = 200

    private let constraints: [TypeConstraints]
    private let ids: Set<Int64>
    private let database: DatabaseNumber
    var after: ClaimRow?

    init(_ constraints: [TypeConstraints], in database: DatabaseNumber) {
        (self.constraints, self.database) = (constraints, database)
        ids = Set(constraints.flatMap(\.constraints).map(\.id))
    }

    private var scan: Scan<ClaimRow> { ClaimRow.all(in: database, after: after, limit: Self.rows) }

    var reading: ReadSet {
        var set = ReadSet()
        set.databases = [database]
        set.ask(scan)
        return set
    }

    /// Returns where to continue; nil at the end.
    func decide(_ reading: Reading) -> Decision<ClaimRow?> {
        let all = reading[scan]
        let rows = all.filter { ids.contains($0.constraint) }
        guard reading.records.count == rows.count else {
            var more = ReadSet()
            more.records = rows.map { RecordKey(zone: .number(database, $0.zone), name: $0.name) }
            return .need(more)
        }
        var set = WriteSet()
        for (row, found) in zip(rows, reading.records) {
            switch found {
            case .absent, .outside: set.remove(row)
            case .record(let record): if !claims(row, record, reading.catalog) { set.remove(row) }
            // It is checked when its record is.
            case .beyondLimit: continue
            }
        }
        return .write(set, all.count == Self.rows ? all.last : nil)
    }

    private func claims(_ row: ClaimRow, _ record: RecordRow, _ catalog: Catalog) -> Bool {
        guard let type = catalog.type(record.type), let own = constraints.first(where: { $0.type == type.row.name })
        else { return false }
        let values = own.values(in: record.liveFields(of: type))
        return own.claims(of: values, type.row, catalog, in: record.zone).contains { row.holds($0.claim) }
    }
}

extension ClaimRow {
    /// Whether the row matches a claim.
    func holds(_ claim: Claim) -> Bool {
        guard rivals == claim.rivals else { return false }
        return switch claim.kind {
        case .place(let most): (1...Int64(most)).contains(slot)
        case .stretch(let start, let end): slot == start && self.end == end
        }
    }
}
