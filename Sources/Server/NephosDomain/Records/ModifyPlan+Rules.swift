import CloudKitWire
import NephosStorage

/// What a decision needs for features' rules: fields of stored records of which only stubs were read, and the changes that may be
/// made.
struct RuledChanges {
    private var asked: [RecordStub] = []
    private var rows: [RecordNumber: [RecordRow]] = [:]
    /// The requested fields are too large to be read.
    private(set) var isTooLarge = false
    /// The changes that may be made, by database.
    fileprivate(set) var changes: [RecordChanges] = []
    /// The items that request them, in the order of ``RecordChanges/all``.
    fileprivate var items: [[Int?]] = []
    /// Nothing was refused since this was computed.
    var isCurrent = false

    /// Whether a feature's rule applies to any change.
    var isAsked: Bool { !changes.isEmpty }

    /// A stored record with its fields, if these were read for a rule.
    func row(of stub: RecordStub) -> RecordRow? { rows[stub.number]?.first { $0.database == stub.database } }

    fileprivate func knows(_ stub: RecordStub) -> Bool {
        asked.contains { $0.number == stub.number && $0.database == stub.database }
    }

    /// How many records were requested.
    fileprivate var count: Int { asked.count }

    fileprivate mutating func ask(_ stubs: [RecordStub], _ found: ArraySlice<Found>) {
        asked += stubs
        for item in found {
            switch item {
            case .absent, .outside: break
            case .record(let row): rows[row.number, default: []].append(row)
            case .beyondLimit: isTooLarge = true
            }
        }
    }
}

extension ModifyPlan {
    /// Fields of stored records that must be read for a rule; nil if they were read, or none are needed, which is usual.
    mutating func fieldNeeds(_ stubs: (ModifyPlan) -> [RecordStub]) throws(Refusal) -> ReadSet? {
        guard !rules.isEmpty else { return nil }
        let wanted = stubs(self).filter { rules.readFields(of: $0.type) && !ruled.knows($0) }
        guard !wanted.isEmpty else { return nil }
        let found = reading.records.dropFirst(recordCount + ruled.count).prefix(wanted.count)
        guard found.count == wanted.count else {
            var more = ReadSet()
            more.records = wanted.map { RecordKey(zone: .number($0.database, $0.zone), name: $0.name) }
            return more
        }
        ruled.ask(wanted, found)
        guard !ruled.isTooLarge else {
            throw .limitExceeded(
                "the records to delete, and those deleted with them, are too large to be checked in one transaction: delete fewer "
                    + "records in one request")
        }
        return nil
    }

    /// How many results of the reading come before the records that ``learnShares()`` requests.
    var recordsBeforeShared: Int { recordsBeforeShares + recordsOfShares }

    /// The same for ``learnShareRecords()``.
    var recordsBeforeShares: Int { recordCount + ruled.count }

    /// How many records the operations request.
    private var recordCount: Int { items.count { $0.unit != nil && $0.refusal == nil && !$0.kind.isDeletion } }

    /// What may be deleted along with deleted records, in a deterministic order.
    var cascaded: [RecordStub] {
        units.indices.flatMap { references[$0].edges.values.joined().sorted { $0.number < $1.number } }
    }

    /// Computes the changes that features are asked about. - Returns: Companions that must be read for that; nil if they were, or
    /// none are needed, which is usual.
    mutating func learnChanges() -> ReadSet? {
        guard !rules.isEmpty, rules.inspectSome || growth.hasGrown else { return nil }
        var outcomes: [UnitOutcome] = []
        if concernsReferences { for unit in units.indices { outcomes.append(outcome(of: unit)) } }
        let cascaded = outcomes.isEmpty ? [] : cascaded
        for case let head? in reading.databases.prefix(databaseCount) {
            let alive = alive(in: head.database, outcomes)
            // If no rule applies nothing is computed, which is usual.
            guard !alive.changes.isEmpty || !cascaded.isEmpty else { continue }
            var changes = changes(alive, cascaded, head)
            guard !changes.asked.isEmpty else { continue }
            if rules.changeOthers,
                let more = rules.complete(&changes, reading, behind: recordCount + ruled.count)
            {
                return more
            }
            ruled.changes.append(changes)
            ruled.items.append(alive.items)
        }
        ruled.isCurrent = true
        return nil
    }

    /// The changes in a database.
    ///
    /// - Parameter outcomes: Of all units; empty if nothing concerns references.
    private func alive(in database: DatabaseNumber, _ outcomes: [UnitOutcome]) -> ChangesByItem {
        var changes = ChangesByItem()
        for unit in units.indices where units[unit].address.database == database {
            add(unit, outcomes.isEmpty ? UnitOutcome() : outcomes[unit], to: &changes)
        }
        return changes
    }

    /// The changes that features are asked about.
    private func changes(_ alive: ChangesByItem, _ cascaded: [RecordStub], _ head: HeadRow) -> RecordChanges {
        var asked = alive.changes
        if !cascaded.isEmpty {
            // Records that a save would keep are included: they are deleted if the save is refused.
            let gone = Set(alive.changes.filter { $0.new == nil }.map(\.place))
            asked += cascaded.filter { $0.database == head.database }.compactMap { removal(of: $0, .cascade) }
                .filter { !gone.contains($0.place) }
        }
        return RecordChanges(
            head: head, now: max(context.now, head.time), asked: asked, all: alive.changes, catalog: reading.catalog,
            showsAll: { [context, roles] type in Visibility(context, type, roles: roles).showsAll })
    }

    /// What rules must read; nil if it was read, or no rule applies.
    func ruleNeeds() -> ReadSet? {
        guard ruled.isAsked else { return nil }
        var rows = rules.reading(ruled.changes[0])
        for changes in ruled.changes.dropFirst() { rows.append(rules.reading(changes)) }
        return reading.unread(of: rows)
    }

    /// The changes to which rules apply, and the items that request them; nil for cascaded deletions.
    private struct ChangesByItem {
        var changes: [RecordChange] = []
        var items: [Int?] = []

        mutating func add(_ item: Int?, _ change: RecordChange?) {
            guard let change else { return }
            changes.append(change)
            items.append(item)
        }
    }

    /// Adds the changes of a unit.
    private func add(_ unit: Int, _ outcome: UnitOutcome, to changes: inout ChangesByItem) {
        for index in units[unit].items {
            switch states[index] {
            case .saved(let draft): changes.add(index, change(draft, in: unit))
            case .deleted(let stub): changes.add(index, removal(of: stub, .asked))
            case .alreadyGone, .refused: break
            }
        }
        for stub in outcome.cascadedInOrder { changes.add(nil, removal(of: stub, .cascade)) }
    }

    private func change(_ draft: RecordDraft, in unit: Int) -> RecordChange? {
        guard let zone = zone(unit), let type = growth.row(draft.type), let user = context.caller.user,
            rules.inspect(type)
        else { return nil }
        // Without numbers: they are assigned when nothing can fail any more.
        let row = draft.row(
            database: units[unit].address.database, zone: zone.number, type: type, number: 0, sequence: 0,
            time: context.now, user: user, share: draft.old?.share)
        return RecordChange(
            cause: .asked, type: draft.type, name: draft.name, old: draft.old.map { RecordStub($0) }, oldRow: draft.old,
            new: row)
    }

    /// The deletion of a record, if a rule applies to it.
    func removal(of stub: RecordStub, _ cause: RecordChange.Cause) -> RecordChange? {
        guard let type = context.catalog.type(stub.type)?.row, rules.inspect(type) else { return nil }
        return RecordChange(
            cause: cause, type: type.name, name: stub.name, old: stub, oldRow: ruled.row(of: stub), new: nil)
    }

    /// Refuses items of a unit that features refuse and nothing else does.
    ///
    /// - Returns: Whether anything was refused.
    mutating func refuseByRules(_ unit: Int, _ outcome: UnitOutcome) -> Bool {
        let refusals = refusalsByRules(unit, outcome)
        guard !refusals.isEmpty else { return false }
        for (item, refusal) in refusals { states[item] = .refused(refusal) }
        ruled.isCurrent = false
        failAtomically(unit)
        return true
    }

    /// The refusals of a unit, by item.
    private func refusalsByRules(_ unit: Int, _ outcome: UnitOutcome) -> [(item: Int, refusal: Refusal)] {
        let database = units[unit].address.database
        guard let place = ruled.changes.firstIndex(where: { $0.head.database == database }) else { return [] }
        var by = ruled.items[place]
        let refusals: [Int: Refusal]
        if ruled.isCurrent {
            refusals = rules.refusals(ruled.changes[place], reading.found)
        } else {
            // All units of a database are judged together: they are written in one transaction.
            var alive = ChangesByItem()
            for other in units.indices where units[other].address.database == database {
                add(other, other == unit ? outcome : outcomeNow(of: other), to: &alive)
            }
            var changes = ruled.changes[place]
            (changes.all, by) = (alive.changes, alive.items)
            refusals = rules.refusals(changes, reading.found)
        }
        guard !refusals.isEmpty else { return [] }
        return refusals.compactMap { place, refusal in
            guard let item = by[place], items[item].unit == unit else { return nil }
            return (item, refusal)
        }
    }

    private func outcomeNow(of unit: Int) -> UnitOutcome {
        var plan = self
        return plan.outcome(of: unit)
    }
}
