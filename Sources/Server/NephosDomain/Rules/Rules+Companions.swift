import CloudKitWire
import NephosStorage

extension Rules {
    /// Adds the companions of requested changes, and their possible changes to those on which reads depend (docs/decisions/0036).
    /// Usually there are none, which one Boolean shows.
    ///
    /// - Parameter base: How many records the decision has read before.
    /// - Returns: What must be read first; nil if it was.
    func complete(
        _ changes: inout RecordChanges, _ reading: Reading, behind base: @autoclosure () -> Int
    ) -> ReadSet? {
        guard changeOthers, changes.head.kind == .publicLane, changes.asked.contains(where: mayChangeOthers) else {
            return nil
        }
        let own = Set(changes.asked.map(\.name))
        let base = base()
        var asked: [Name] = []
        while true {
            var wanted: [Name] = []
            forEachRule(changes) { rule, changes, _ in
                if rule.changesOthers { wanted += rule.companions(changes) }
            }
            var seen = own.union(asked)
            wanted = wanted.filter { seen.insert($0).inserted }
            guard !wanted.isEmpty else { break }
            let found = reading.records.dropFirst(base + asked.count).prefix(wanted.count)
            guard found.count == wanted.count else {
                var more = ReadSet()
                more.records = wanted.map { RecordKey(zone: .name(changes.head.database, defaultZoneName), name: $0) }
                return more
            }
            for case .record(let row) in found where wanted.contains(row.name) { changes.companions[row.name] = row }
            asked += wanted
        }
        let companionChanges = companionChanges(changes)
        changes.asked += companionChanges.compactMap { self.change(of: $0, in: changes)?.change }
        changes.memory = RuleCache()
        return nil
    }

    private func mayChangeOthers(_ change: RecordChange) -> Bool {
        switch change.cause {
        case .asked, .restoration: true
        case .cascade, .reset, .server, .replaced: false
        }
    }

    /// The companion changes of rules, each record once.
    func companionChanges(_ changes: RecordChanges) -> [CompanionChange] {
        guard !changes.companions.isEmpty else { return [] }
        var companionChanges: [CompanionChange] = []
        forEachRule(changes) { rule, changes, _ in
            guard rule.changesOthers else { return }
            for companion in rule.companionChanges(changes)
            where !companionChanges.contains(where: { $0.name == companion.name }) {
                companionChanges.append(companion)
            }
        }
        return companionChanges
    }

    /// The new state of a companion, except for its sequence, with its draft.
    func change(
        of companion: CompanionChange, in changes: RecordChanges
    ) -> (change: RecordChange, draft: RecordDraft, type: RecordTypeRow)? {
        guard let row = changes.companions[companion.name], let type = changes.catalog.type(row.type) else {
            return nil
        }
        let draft = RecordDraft(
            name: row.name, type: type.row.name, patch: companion.patch, replaces: false, parent: row.parent,
            base: RecordDraft.Base(row, type: type))
        let new = draft.row(
            database: row.database, zone: row.zone, type: type.row, number: row.number, sequence: 0,
            time: changes.now, user: .server)
        let change = RecordChange(
            cause: .server, type: type.row.name, name: row.name, old: RecordStub(row), oldRow: row, new: new)
        return (change, draft, type.row)
    }
}
