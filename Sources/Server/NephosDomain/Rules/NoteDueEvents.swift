public import CloudKitWire
public import NephosStorage

/// Stores when records will appear or end that were saved before a visibility rule applied to their type.
public struct NoteDueEvents: Sendable {
    private let records: [(zone: ZoneNumber, name: Name)]
    private let database: DatabaseNumber
    private let now: Milliseconds
    private let scan: Scan<DueEventRow>

    /// - Parameter records: A few hundred.
    public init(_ records: [(zone: ZoneNumber, name: Name)], in database: DatabaseNumber, now: Milliseconds) {
        (self.records, self.database, self.now) = (records, database, now)
        scan = DueEventRow.of(records, in: database)
    }

    public var reading: ReadSet {
        var set = ReadSet()
        set.databases = [database]
        set.records = records.map { RecordKey(zone: .number(database, $0.zone), name: $0.name) }
        set.ask(scan)
        return set
    }

    /// Returns how many were not read because they are too large together.
    public func decide(_ reading: Reading) -> Decision<Int> {
        let stored = Dictionary(reading[scan].map { ($0.place, $0) }) { first, _ in first }
        var (set, left) = (WriteSet(), 0)
        for found in reading.records {
            switch found {
            case .absent, .outside: break
            case .beyondLimit: left += 1
            case .record(let record): note(record, stored, reading.catalog, &set)
            }
        }
        return .write(set, left)
    }

    private func note(
        _ record: RecordRow, _ stored: [RecordPlace: DueEventRow], _ catalog: Catalog, _ set: inout WriteSet
    ) {
        guard let type = catalog.type(record.type),
            let moment = catalog.rules.hours(of: type).nextEdge(of: record, after: now)
        else { return }
        let row = DueEventRow(database: database, zone: record.zone, name: record.name, at: moment)
        let old = stored[row.place]
        // A time that has passed, and was not processed yet, takes precedence.
        if let old, old.at <= now { return set.ask(for: DueEvents.job, at: now) }
        if row != old { set.put(row, replacing: old) }
        set.ask(for: DueEvents.job, at: moment)
    }
}
