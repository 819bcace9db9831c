import CloudKitWire
import NephosStorage

/// Creates, changes and removes records: the only way for a decision to put them into its write set. It notes events for watchers,
/// and lets the rules of features add their rows (docs/decisions/0027).
struct RecordJournal {
    private let catalog: Catalog
    private let rules: Rules
    /// The changes to which rules apply, by database: one, or two.
    private var changes: [(database: DatabaseNumber, changes: [RecordChange])] = []
    /// The counts of created and deleted records.
    private var tallies: [(database: DatabaseNumber, tally: RecordTally)] = []

    init(_ catalog: Catalog) { (self.catalog, rules) = (catalog, catalog.rules) }

    /// Creates or changes a record.
    ///
    /// - Parameters:
    ///   - kind: The event for watchers; nil for none.
    ///   - head: Of its database, with the sequence of this change.
    ///   - author: Of the change (``ChangeAuthor``).
    ///   - old: The previous row, with its fields; nil for a new record.
    ///   - trashed: The trash row that it is restored from.
    mutating func save(
        _ write: RecordWrite, type: RecordTypeRow?, replacing old: RecordRow? = nil, from trashed: TrashRow? = nil,
        _ cause: RecordChange.Cause, notifying kind: ChangeEventRow.Kind?, _ head: HeadRow,
        author: @autoclosure () -> String = "",
        to set: inout WriteSet
    ) {
        set.records.append(write)
        if let kind, head.isWatched {
            set.note(seen(kind, write.new, head), write.new.name, in: write.new.zone, head, author: author())
        }
        if write.old == nil, let type, rules.count(type, in: head.kind) {
            if let trashed {
                add(type, .restored, at: head.time, FormerRecord(trashed), head)
            } else {
                add(type, .created, at: write.new.createdAt, nil, head)
            }
        }
        guard !rules.isEmpty, let type, rules.concern(type) else { return }
        add(
            RecordChange(
                cause: cause, type: type.name, name: write.new.name, old: write.old, oldRow: old, new: write.new,
                former: trashed.map { FormerRecord($0) }), head)
    }

    /// Stores that a record is part of another share. Its content stays, so rules do not apply, and nobody is notified.
    mutating func mark(_ write: RecordWrite, to set: inout WriteSet) { set.records.append(write) }

    /// Removes a record. Those who see only a share of the zone learn of it by a departure.
    ///
    /// - Parameters:
    ///   - row: The previous row, with its fields, if these were read.
    ///   - notifies: Whether watchers are notified.
    mutating func remove(
        _ deletion: RecordDeletion, _ row: RecordRow? = nil, _ cause: RecordChange.Cause, _ head: HeadRow,
        author: @autoclosure () -> String = "", notifies: Bool = true, to set: inout WriteSet
    ) {
        set.deletions.append(deletion)
        let stub = deletion.old
        if let share = stub.share {
            set.put(
                DepartureRow(
                    database: stub.database, zone: stub.zone, sequence: deletion.tombstone.sequence,
                    share: share.magnitudeOfShare, type: stub.type, name: stub.name,
                    leftAt: deletion.tombstone.deletedAt))
        }
        if notifies, head.isWatched {
            set.note(seen(.deleted, row, head), stub.name, in: stub.zone, head, author: author())
        }
        guard !rules.isEmpty || !rules.counters.isEmpty, let type = catalog.type(stub.type)?.row else { return }
        if rules.count(type, in: head.kind) {
            let former = FormerRecord(number: stub.number, createdAt: stub.createdAt)
            add(type, .deleted, at: head.time, former, head)
        }
        guard rules.concern(type) else { return }
        add(RecordChange(cause: cause, type: type.name, name: stub.name, old: stub, oldRow: row, new: nil), head)
    }

    /// The event that watchers see: callers without the right to write a record learn nothing of changes while it is hidden, however late
    /// the notification is. Appearing and ending are events of their own.
    private func seen(_ kind: ChangeEventRow.Kind, _ record: RecordRow?, _ head: HeadRow) -> ChangeEventRow.Kind {
        guard rules.hideSome, head.kind == .publicLane, let record, let type = catalog.type(record.type) else {
            return kind
        }
        return rules.hours(of: type).areOpen(record, at: head.time) ? kind : kind.hidden
    }

    private mutating func add(_ change: RecordChange, _ head: HeadRow) {
        if let place = changes.firstIndex(where: { $0.database == head.database }) {
            changes[place].changes.append(change)
        } else {
            changes.append((head.database, [change]))
        }
    }

    private mutating func add(
        _ type: RecordTypeRow, _ event: RecordTally.Event, at time: Milliseconds, _ former: FormerRecord?,
        _ head: HeadRow
    ) {
        if let last = tallies.last, last.database == head.database, last.tally.type == type.number,
            last.tally.event == event, last.tally.at == time
        {
            tallies[tallies.count - 1].tally.count += 1
        } else {
            tallies.append((head.database, RecordTally(type: type.number, event, at: time)))
        }
        if let former { tallies[tallies.count - 1].tally.former.append(former) }
    }

    /// What rules must read before ``finish(_:at:_:asked:to:)``; nil if it was read, or nothing is needed, which is usual.
    ///
    /// - Parameters:
    ///   - heads: The heads before the changes.
    ///   - now: The time of the decision.
    func needs(_ heads: [HeadRow], at now: Milliseconds, _ reading: Reading) -> ReadSet? {
        guard !changes.isEmpty else { return nil }
        var set = RequestedRows()
        for head in heads { if let changes = changes(of: head, now, []) { set.append(rules.reading(changes)) } }
        return reading.unread(of: set)
    }

    /// Adds what rules write, after the changed heads are in the set: rules may store something there.
    ///
    /// - Parameters:
    ///   - asked: What rules were asked about before, with companions, if that is more than the actual changes.
    ///   - author: The author of the changes (``RecordChanges/author``).
    func finish(
        _ heads: @autoclosure () -> [HeadRow], at now: Milliseconds, _ found: FoundRows, asked: [RecordChanges] = [],
        by author: @autoclosure () -> String = "", to set: inout WriteSet
    ) {
        guard !changes.isEmpty || !tallies.isEmpty else { return }
        for head in heads() {
            let tallies = tallies.compactMap { $0.database == head.database ? $0.tally : nil }
            let changes = changes(of: head, now, asked)
            guard changes != nil || !tallies.isEmpty else { continue }
            // Something else of this decision may have changed it already.
            let annex = set.heads.first { $0.database == head.database }?.annex ?? head.annex
            var rows = RuleWrites(annex)
            if var changes {
                changes.author = author()
                changeCompanions(&changes, to: &set)
                rules.noteEdges(changes, found, to: &set)
                rules.follow(changes, found, &rows)
            }
            if !tallies.isEmpty {
                for counter in rules.counters { counter.count(tallies, in: head, at: max(now, head.time), &rows) }
            }
            set.take(rows, of: head, before: annex)
        }
    }

    private func changes(of head: HeadRow, _ now: Milliseconds, _ asked: [RecordChanges]) -> RecordChanges? {
        guard let changes = changes.first(where: { $0.database == head.database })?.changes else { return nil }
        // Times never run backwards in a database.
        let now = max(now, head.time)
        guard let place = asked.firstIndex(where: { $0.head.database == head.database }) else {
            return RecordChanges(head: head, now: now, asked: changes, all: changes, catalog: catalog)
        }
        return RecordChanges(
            head: head, now: now, asked: asked[place].asked, all: changes, catalog: catalog,
            companions: asked[place].companions, memory: asked[place].memory)
    }

    /// Applies the companion changes of rules, after everything else: each with its own sequence, as a change by the server.
    private func changeCompanions(_ changes: inout RecordChanges, to set: inout WriteSet) {
        for companion in rules.companionChanges(changes) {
            guard let (change, draft, type) = rules.change(of: companion, in: changes), var new = change.new,
                let head = set.heads.firstIndex(where: { $0.database == new.database }),
                let zone = set.zones.firstIndex(where: { $0.new.database == new.database && $0.new.number == new.zone })
            else { continue }
            set.heads[head].sequence += 1
            (new.sequence, new.tagSequence) = (set.heads[head].sequence, set.heads[head].sequence)
            set.zones[zone].new.changedSequence = new.sequence
            set.records.append(draft.write(new))
            if set.heads[head].isWatched {
                set.note(seen(.updated, new, set.heads[head]), new.name, in: new.zone, set.heads[head])
            }
            changes.all.append(
                RecordChange(
                    cause: .server, type: type.name, name: new.name, old: change.old, oldRow: change.oldRow, new: new))
        }
    }
}

extension WriteSet {
    /// Adds the rows that features write, and the new annex of a database's head.
    fileprivate mutating func take(_ rows: RuleWrites, of head: HeadRow, before annex: HeadAnnex) {
        changes += rows.changes.changes
        for (job, time) in rows.changes.work { ask(for: job, at: time) }
        guard rows.annex != annex else { return }
        if let place = heads.firstIndex(where: { $0.database == head.database }) {
            heads[place].annex = rows.annex
        } else {
            var head = head
            head.annex = rows.annex
            heads.append(head)
        }
    }
}
