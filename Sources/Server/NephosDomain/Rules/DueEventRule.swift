import CloudKitWire
import NephosStorage

/// Stores when a saved record will appear or end, so that watchers are notified then. Added with visibility rules.
struct DueEventRule: RecordRule {
    private let hours: [any VisibilityRule]

    init(_ hours: [any VisibilityRule]) { self.hours = hours }

    func concerns(_ type: Name, in catalog: Catalog) -> Bool {
        guard let type = catalog.types[type] else { return false }
        return !hours.hours(of: type, in: catalog).isEmpty
    }

    func reading(_ changes: RecordChanges) -> RequestedRows {
        var set = RequestedRows()
        if changes.head.kind == .publicLane { set.ask(Self.rows(changes)) }
        return set
    }

    /// - Parameter changes: The changes to which the rule applies.
    static func rows(_ changes: RecordChanges) -> Scan<DueEventRow> {
        var records: [(zone: ZoneNumber, name: Name)] = []
        var seen: Set<RecordPlace> = []
        for change in changes.asked where seen.insert(change.place).inserted {
            records.append((change.place.zone, change.name))
        }
        return DueEventRow.of(records, in: changes.head.database)
    }

    func follow(_ changes: RecordChanges, _ reading: FoundRows, _ rows: inout RuleWrites) {
        guard changes.head.kind == .publicLane else { return }
        let database = changes.head.database
        let stored = Dictionary(reading[Self.rows(changes)].map { ($0.place, $0) }) { first, _ in first }
        var next: [RecordPlace: Milliseconds?] = [:]
        for change in changes.all { next[change.place] = change.edge(after: changes.now, changes.catalog) }
        for (place, moment) in next.sorted(by: { $0.key < $1.key }) {
            let old = stored[place]
            if let moment {
                let row = DueEventRow(database: database, zone: place.zone, name: place.name, at: moment)
                if row != old { rows.put(row, replacing: old) }
                rows.ask(for: DueEvents.job, at: moment)
            } else if let old {
                rows.remove(old)
            }
        }
    }
}

/// Identifies a record in a database.
struct RecordPlace: Hashable, Comparable {
    let zone: ZoneNumber
    let name: Name

    static func < (left: Self, right: Self) -> Bool { (left.zone, left.name) < (right.zone, right.name) }
}

extension DueEventRow {
    var place: RecordPlace { RecordPlace(zone: zone, name: name) }
}

extension RecordChange {
    var place: RecordPlace { RecordPlace(zone: new?.zone ?? old?.zone ?? 0, name: name) }

    /// When it appears or ends next; nil for a deleted record.
    fileprivate func edge(after now: Milliseconds, _ catalog: Catalog) -> Milliseconds? {
        guard let new, let type = catalog.types[self.type] else { return nil }
        return catalog.rules.hours(of: type).nextEdge(of: new, after: now)
    }
}
