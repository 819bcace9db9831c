import CloudKitWire
public import NephosStorage

/// Notifies watchers of records that have appeared or ended, at their times (docs/decisions/0033): each time once, also after an
/// outage of days. The records stay as they are, with their change tags.
public struct DueEvents: Sendable {
    /// The background job that does this in a tenant.
    public static let job = "due-events"
    /// The maximum number of times per transaction.
    public static let limit = 200

    private let rows: [DueEventRow]
    private let now: Milliseconds
    private let scans: [Scan<DueEventRow>]

    /// - Parameters:
    ///   - rows: The due rows.
    ///   - now: The time.
    public init(_ rows: [DueEventRow], now: Milliseconds) {
        // Ordered by their times.
        self.rows = rows.sorted { ($0.database, $0.at, $0.zone, $0.name) < ($1.database, $1.at, $1.zone, $1.name) }
        self.now = now
        scans = Dictionary(grouping: self.rows, by: \.database).sorted { $0.key < $1.key }.map { database, rows in
            DueEventRow.of(rows.map { ($0.zone, $0.name) }, in: database)
        }
    }

    public var reading: ReadSet {
        var set = ReadSet()
        set.databases = Set(rows.map(\.database)).sorted()
        for scan in scans { set.ask(scan) }
        set.records = rows.map { RecordKey(zone: .number($0.database, $0.zone), name: $0.name) }
        return set
    }

    /// Returns how many times are done. Those of records that did not fit into one reading stay.
    public func decide(_ reading: Reading) -> Decision<Int> {
        let stored = scans.flatMap { reading[$0] }
        var heads = reading.databases.compactMap(\.self)
        var (set, count) = (WriteSet(), 0)
        for (row, found) in zip(rows, reading.records) where stored.contains(row) {
            guard let place = heads.firstIndex(where: { $0.database == row.database }) else { continue }
            if case .beyondLimit = found { continue }
            heads[place].time = max(heads[place].time, now)
            take(row, found, reading.catalog, &heads[place], &set)
            count += 1
        }
        set.heads = heads.filter { head in reading.databases.contains { $0?.database == head.database && $0 != head } }
        return .write(set, count)
    }

    private func take(
        _ row: DueEventRow, _ found: Found, _ catalog: Catalog, _ head: inout HeadRow, _ set: inout WriteSet
    ) {
        guard case .record(let record) = found, let type = catalog.type(record.type) else { return set.remove(row) }
        let hours = catalog.rules.hours(of: type)
        let (was, isOpen) = (hours.areOpen(record, at: row.at - 1), hours.areOpen(record, at: now))
        if was != isOpen, head.isWatched {
            head.sequence += 1
            set.note(isOpen ? .appeared : .ended, record.name, in: record.zone, head)
        }
        guard let next = hours.nextEdge(of: record, after: now) else { return set.remove(row) }
        var later = row
        later.at = next
        set.put(later, replacing: row)
    }
}
