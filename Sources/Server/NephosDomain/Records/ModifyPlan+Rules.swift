import CloudKitWire
import NephosStorage

/// What a decision knows of what features want: fields of stored records of which only stubs were read, and what may be changed.
struct RuledChanges {
    private var asked: [RecordStub] = []
    private var rows: [RecordNumber: [RecordRow]] = [:]
    /// Fields were asked for that are too much to be read.
    private(set) var isTooLarge = false
    /// What may be changed, by database.
    fileprivate(set) var changes: [RecordChanges] = []
    /// The items that ask for it, as they stand in ``RecordChanges/all``.
    fileprivate var items: [[Int?]] = []
    /// Nothing was refused since that was worked out.
    var isCurrent = false

    /// Whether a feature has a say about anything that may be changed.
    var isAsked: Bool { !changes.isEmpty }

    /// A stored record with its fields, where these were read because of a rule.
    func row(of stub: RecordStub) -> RecordRow? { rows[stub.number]?.first { $0.database == stub.database } }

    fileprivate func knows(_ stub: RecordStub) -> Bool {
        asked.contains { $0.number == stub.number && $0.database == stub.database }
    }

    /// How many records were asked for.
    fileprivate var count: Int { asked.count }

    fileprivate mutating func ask(_ stubs: [RecordStub], _ found: ArraySlice<Found>) {
        asked += stubs
        for item in found {
            switch item {
            case .absent: break
            case .record(let row): rows[row.number, default: []].append(row)
            case .beyondLimit: isTooLarge = true
            }
        }
    }
}

extension ModifyPlan {
    /// Fields that must be read of stored records because of a rule; nil when they were read, or none must be, as mostly.
    mutating func fieldNeeds(_ stubs: (ModifyPlan) -> [RecordStub]) throws(Refusal) -> ReadSet? {
        guard !rules.areNone else { return nil }
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
                "what the request deletes, and what goes with it, is too large to be looked at in one transaction: delete fewer "
                    + "records in a request")
        }
        return nil
    }

    /// How many records the operations ask for.
    private var recordCount: Int { items.count { $0.unit != nil && $0.refusal == nil && !$0.kind.isDeletion } }

    /// What may go along with what is deleted, in an order that is the same each time.
    var cascaded: [RecordStub] {
        units.indices.flatMap { references[$0].edges.values.joined().sorted { $0.number < $1.number } }
    }

    /// Works out what features are asked about. - Returns: Companions that must be read for that; nil when they were, and mostly.
    mutating func learnChanges() -> ReadSet? {
        guard !rules.areNone, rules.judgeSome || growth.hasGrown else { return nil }
        for head in heads {
            let byItem = units.indices.filter { units[$0].address.database == head.database }
                .flatMap { self.changes(of: $0, outcome(of: $0)) }
            let changes = byItem.map(\.change)
            // What a refused save would keep goes after all.
            let gone = Set(changes.filter { $0.new == nil }.map(\.place))
            let perhaps = cascaded.filter { $0.database == head.database }.compactMap { removal(of: $0, .cascade) }
                .filter { !gone.contains($0.place) }
            guard !changes.isEmpty || !perhaps.isEmpty else { continue }
            var asked = RecordChanges(
                head: head, now: max(context.now, head.time), asked: changes + perhaps, all: changes,
                catalog: reading.catalog)
            if let more = rules.complete(&asked, reading, behind: recordCount + ruled.count) { return more }
            asked.showsAll = { [context, roles] type in Visibility(context, type, roles: roles).showsAll }
            ruled.changes.append(asked)
            ruled.items.append(byItem.map(\.item))
        }
        ruled.isCurrent = true
        return nil
    }

    /// What features must see to have a say; nil when it was read, or none has.
    func ruleNeeds() -> ReadSet? {
        guard ruled.isAsked else { return nil }
        var set = rules.reading(ruled.changes[0])
        for changes in ruled.changes.dropFirst() { set.append(rules.reading(changes)) }
        return reading.unread(of: set)
    }

    /// What a unit changes as far as somebody has a say, and by which item; nil for what goes along.
    private func changes(of unit: Int, _ outcome: UnitOutcome) -> [(item: Int?, change: RecordChange)] {
        var changes: [(item: Int?, change: RecordChange)] = []
        func add(_ item: Int?, _ change: RecordChange?) { if let change { changes.append((item, change)) } }
        for index in units[unit].items {
            switch states[index] {
            case .saved(let draft): add(index, change(draft, in: unit))
            case .deleted(let stub): add(index, removal(of: stub, .asked))
            case .alreadyGone, .refused: break
            }
        }
        for stub in outcome.cascadedInOrder { add(nil, removal(of: stub, .cascade)) }
        return changes
    }

    private func change(_ draft: RecordDraft, in unit: Int) -> RecordChange? {
        guard let zone = zone(unit), let type = growth.row(draft.type), let user = context.caller.user,
            rules.judge(type)
        else { return nil }
        // Without numbers: these are given out when nothing can fail any more.
        let row = draft.row(
            database: units[unit].address.database, zone: zone.number, type: type, number: 0, sequence: 0,
            time: context.now, user: user)
        return RecordChange(
            cause: .asked, type: draft.type, name: draft.name, old: draft.old.map { RecordStub($0) }, oldRow: draft.old,
            new: row)
    }

    /// A record that goes, as far as somebody has a say.
    func removal(of stub: RecordStub, _ cause: RecordChange.Cause) -> RecordChange? {
        guard let type = context.catalog.type(stub.type)?.row, rules.judge(type) else { return nil }
        return RecordChange(
            cause: cause, type: type.name, name: stub.name, old: stub, oldRow: ruled.row(of: stub), new: nil)
    }

    /// Refuses what features refuse of a unit that nothing else refuses.
    ///
    /// - Returns: Whether anything was refused.
    mutating func refuseByRules(_ unit: Int, _ outcome: UnitOutcome) -> Bool {
        let database = units[unit].address.database
        guard let place = ruled.changes.firstIndex(where: { $0.head.database == database }) else { return false }
        var (changes, by) = (ruled.changes[place], ruled.items[place])
        if !ruled.isCurrent {
            // All units of a database are seen together: they are written in one transaction.
            let alive = units.indices.filter { units[$0].address.database == database }
                .flatMap { self.changes(of: $0, $0 == unit ? outcome : self.outcomeNow(of: $0)) }
            (changes.all, by) = (alive.map(\.change), alive.map(\.item))
        }
        var refused = false
        for (place, refusal) in rules.refusals(changes, reading) {
            guard let item = by[place], items[item].unit == unit else { continue }
            states[item] = .refused(refusal)
            refused = true
        }
        guard refused else { return false }
        ruled.isCurrent = false
        failAtomically(unit)
        return refused
    }

    private func outcomeNow(of unit: Int) -> UnitOutcome {
        var plan = self
        return plan.outcome(of: unit)
    }
}
