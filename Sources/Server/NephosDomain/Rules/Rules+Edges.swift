import CloudKitWire
import NephosStorage

extension Rules {
    /// Notes for watchers that records appear or end by being saved or removed, and that they had done so before, if that was not noted
    /// yet. For callers that may not write them: all others are notified of the change itself.
    ///
    /// - Parameter set: With the head of the database, if that changes.
    func noteEdges(_ changes: RecordChanges, _ reading: FoundRows, to set: inout WriteSet) {
        guard hideSome, changes.head.kind == .publicLane, changes.head.isWatched, let catalog,
            let place = set.heads.firstIndex(where: { $0.database == changes.head.database })
        else { return }
        func hours(_ change: RecordChange) -> [RecordHours] { catalog.types[change.type].map(hours(of:)) ?? [] }
        let own = RecordChanges(
            head: changes.head, now: changes.now, asked: changes.asked.filter { !hours($0).isEmpty },
            all: changes.all.filter { !hours($0).isEmpty }, catalog: changes.catalog)
        guard !own.all.isEmpty, let rows = reading.rows(of: DueEventRule.rows(own)) else { return }
        let moments = Dictionary(rows.map { ($0.place, $0.at) }) { first, _ in first }
        for change in own.all {
            guard let kind = change.edge(hours(change), moments[change.place], at: changes.now) else { continue }
            set.heads[place].sequence += 1
            set.note(kind, change.name, in: change.place.zone, set.heads[place])
        }
    }
}

extension RecordChange {
    /// - Parameter moment: The stored next time at which the record would appear or end.
    fileprivate func edge(
        _ hours: [RecordHours], _ moment: Milliseconds?, at now: Milliseconds
    ) -> ChangeEventRow.Kind? {
        guard let oldRow else { return nil }
        let isLate = moment.map { $0 <= now } ?? false
        let was = hours.areOpen(oldRow, at: isLate ? (moment ?? now) - 1 : now)
        // A record that is visible when it is deleted is reported as removed.
        let isOpen = hours.areOpen(new ?? oldRow, at: now)
        guard was != isOpen, new != nil || was else { return nil }
        return isOpen ? .appeared : .ended
    }
}
