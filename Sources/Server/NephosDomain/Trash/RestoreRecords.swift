public import CloudKitWire
public import NephosStorage

/// Restores deleted records of the public database in their previous state: name, fields, parent, creator and time of creation.
/// They get a new sequence and a new modification time. Of several with the same name, the one deleted last is restored.
///
/// They may reference each other: each is restored if what it needs exists afterwards.
public struct RestoreRecords: Sendable {
    private let names: [Name]
    private let scans: [Scan<TrashRow>]
    private let assumed: Set<Name>
    private let now: Milliseconds
    private let author: String
    private static let zone = ZoneKey.name(NewUser.publicDatabase, defaultZoneName)

    /// The result for one record.
    public enum Outcome: Sendable {
        case restored(StoredRecord)
        /// ``Refusal/recordNotFound`` if none of that name was deleted; ``Refusal/recordExists(_:)`` if the name is taken;
        /// ``Refusal/badRequest(_:)`` if its type was removed; ``Refusal/referenceViolation(_:)`` if its parent, or the target of
        /// a VALIDATE reference, does not exist; or the refusal of a feature.
        case refused(Refusal)
        /// Together they are too much for one transaction: request it again.
        case later
    }

    /// - Parameters:
    ///   - names: Each once, in an order in which each follows those that it needs.
    ///   - type: Only records of this type; nil for any.
    ///   - from: Only those that were deleted at this time or later.
    ///   - assumed: Records that count as existing, for a dry run.
    ///   - author: Who restores them, for histories.
    public init(
        _ names: [Name], type: TypeNumber? = nil, deletedFrom from: Milliseconds? = nil,
        assuming assumed: Set<Name> = [], by author: String = "", now: Milliseconds
    ) {
        self.names = names
        self.assumed = assumed
        self.now = now
        self.author = author
        scans = names.map {
            TrashRow.newest(in: NewUser.publicDatabase, named: $0, type: type, from: from, limit: 1)
        }
    }

    public var reading: ReadSet {
        var set = NewUser.reading
        for scan in scans { set.ask(scan) }
        set.stubs = names.map { RecordKey(zone: Self.zone, name: $0) }
        return set
    }

    /// Records that must exist for a deleted record to be restored.
    public static func needs(of record: RecordRow, _ type: RecordType) -> [Name] {
        RestorableRecord.draft(of: record, type).bindingTargets.map(\.target)
    }

    /// Returns the result for each, in the order of the names.
    public func decide(_ reading: Reading) throws(Refusal) -> Decision<[Outcome]> {
        guard var head = reading.databases[0], let zone = reading.zones[0] else { throw .failed }
        var states: [State] = names.indices.map { state(of: $0, reading) }
        if let more = missing(states, reading) { return .need(more) }
        shorten(&states, for: reading)
        refuseIncomplete(&states, reading)
        var asked: RecordChanges?
        if let more = refuseByRules(&states, &asked, head, zone, reading) { return .need(more) }
        if !reading.oversized.isEmpty, !states.contains(where: { $0.isAlive }) { states = states.map(\.tooLarge) }
        let before = head
        head.time = max(head.time, now)
        var set = WriteSet()
        var journal = RecordJournal(reading.catalog)
        let outcomes = states.map { state -> Outcome in
            switch state {
            case .refused(let refusal): return .refused(refusal)
            case .later: return .later
            case .alive(let record): return .restored(record.restore(&head, zone, &journal, to: &set))
            }
        }
        if !set.records.isEmpty {
            var moved = zone
            moved.changedSequence = head.sequence
            set.heads = [head]
            set.zones = [ZoneWrite(old: zone, new: moved)]
        }
        journal.finish(
            [before], at: now, reading.found, asked: [asked].compactMap(\.self), by: author, to: &set)
        return .write(set, outcomes)
    }

    // MARK: One by one

    private enum State {
        case alive(RestorableRecord)
        case refused(Refusal)
        case later

        var isAlive: Bool { if case .alive = self { true } else { false } }

        var tooLarge: State {
            guard case .later = self else { return self }
            return .refused(
                .limitExceeded(
                    "together with the records it depends on or that depend on it, it has more than \(commitRowsMax) rows, references and "
                        + "index entries"))
        }
    }

    private func state(of index: Int, _ reading: Reading) -> State {
        guard let trashed = reading[scans[index]].first else { return .refused(.recordNotFound) }
        let hidden = reading.stubs[index]
        if let hidden, !reading.catalog.hides(hidden) { return .refused(.recordExists(nil)) }
        guard let type = reading.catalog.type(trashed.record.type) else {
            return .refused(.badRequest("its record type was removed from the schema"))
        }
        let record = RestorableRecord(trashed: trashed, type: type, hidden: hidden)
        return reading.catalog.rules.refusal(of: record.draft.fields, type.row.name).map(State.refused)
            ?? .alive(record)
    }

    // MARK: What they need

    /// Required records that are not among the restored ones: to be read first, or already read.
    private func others(_ states: [State]) -> [Name] {
        let own = Set(names)
        var others: [Name] = []
        var seen: Set<Name> = []
        for case .alive(let record) in states {
            for reference in record.draft.bindingTargets
            where !own.contains(reference.target) && seen.insert(reference.target).inserted {
                others.append(reference.target)
            }
        }
        return others
    }

    private func missing(_ states: [State], _ reading: Reading) -> ReadSet? {
        let others = others(states)
        guard reading.stubs.count < names.count + others.count else { return nil }
        var more = ReadSet()
        more.stubs = others.map { RecordKey(zone: Self.zone, name: $0) }
        return more
    }

    /// Leaves half of the restored records for later, and half of the rest, each time it was too much.
    private func shorten(_ states: inout [State], for reading: Reading) {
        let alive = states.indices.filter { states[$0].isAlive }
        for index in alive.dropFirst(reading.few(of: alive.count)) { states[index] = .later }
    }

    private func refuseIncomplete(_ states: inout [State], _ reading: Reading) {
        var isThere: [Name: Bool] = [:]
        let stored = names + others(states)
        for (name, stub) in zip(stored, reading.stubs) {
            isThere[name] = assumed.contains(name) || stub.map { !reading.catalog.hides($0) } ?? false
        }
        var places: [Name: Int] = [:]
        for (index, name) in names.enumerated() { places[name] = index }
        var failed = true
        while failed {
            failed = false
            for index in states.indices {
                guard case .alive(let record) = states[index] else { continue }
                for reference in record.draft.bindingTargets where isThere[reference.target] != true {
                    switch places[reference.target].map({ states[$0] }) {
                    case .alive: continue
                    case .later: states[index] = .later
                    case .refused, nil: states[index] = .refused(Self.refusal(reference))
                    }
                    failed = true
                    break
                }
            }
        }
    }

    // MARK: Rules of features

    /// Refuses what features refuse, and then what needed that, until nothing more is refused.
    ///
    /// - Parameter asked: The changes that rules were asked about, if any applies.
    /// - Returns: What rules must read first; nil if it was read.
    private func refuseByRules(
        _ states: inout [State], _ asked: inout RecordChanges?, _ head: HeadRow, _ zone: ZoneRow, _ reading: Reading
    ) -> ReadSet? {
        let rules = reading.catalog.rules
        guard rules.concernSome else { return nil }
        var alive = changes(states, head, zone, rules)
        guard !alive.isEmpty else { return nil }
        var changes = RecordChanges(
            head: head, now: max(now, head.time), asked: alive.map(\.change), all: alive.map(\.change),
            catalog: reading.catalog)
        // Only the operator of the server restores records.
        changes.showsAll = { _ in true }
        if let more = rules.complete(&changes, reading, behind: 0) { return more }
        if let more = reading.unread(of: rules.reading(changes)) { return more }
        asked = changes
        while true {
            changes.all = alive.map(\.change)
            let refusals = rules.refusals(changes, reading.found)
            guard !refusals.isEmpty else { return nil }
            for (place, refusal) in refusals { states[alive[place].state] = .refused(refusal) }
            refuseIncomplete(&states, reading)
            alive = self.changes(states, head, zone, rules)
        }
    }

    private func changes(
        _ states: [State], _ head: HeadRow, _ zone: ZoneRow, _ rules: Rules
    ) -> [(state: Int, change: RecordChange)] {
        states.enumerated().compactMap { place, state in
            guard case .alive(let record) = state, rules.concern(record.type.row) else { return nil }
            return (place, record.change(in: zone, at: head.time))
        }
    }

    private static func refusal(_ reference: ReferenceTarget) -> Refusal {
        let what = reference.kind == .parent ? "parent" : "reference (action VALIDATE)"
        return .referenceViolation(
            "its \(what) '\(reference.target.text.prefix(40))' does not exist; restore that one first")
    }
}

/// A deleted record whose name is free and whose type exists.
private struct RestorableRecord {
    let trashed: TrashRow
    let type: RecordType
    /// A record of a removed type with the same name. It is deleted.
    let hidden: RecordStub?
    let draft: RecordDraft

    init(trashed: TrashRow, type: RecordType, hidden: RecordStub?) {
        self.trashed = trashed
        self.type = type
        self.hidden = hidden
        draft = Self.draft(of: trashed.record, type)
    }

    static func draft(of record: RecordRow, _ type: RecordType) -> RecordDraft {
        let fields = record.liveFields(of: type)
        return RecordDraft(
            name: record.name, type: type.row.name,
            patch: FieldsPatch(
                set: fields, references: CanonicalFields.references(in: fields),
                hasEncrypted: record.flags.contains(.encrypted), assets: CanonicalFields.assets(in: fields).map(\.asset)
            ),
            replaces: true, parent: record.parent, base: nil)
    }

    func restore(
        _ head: inout HeadRow, _ zone: ZoneRow, _ journal: inout RecordJournal, to set: inout WriteSet
    ) -> StoredRecord {
        if let hidden { journal.remove(deletion(of: hidden, &head), nil, .replaced, head, notifies: false, to: &set) }
        let row = row(&head, zone)
        journal.save(
            draft.write(row), type: type.row, from: trashed, .restoration, notifying: .created, head, to: &set)
        set.takenFromTrash.append(trashed)
        return StoredRecord(saved: row, type: type.row.name)
    }

    private func row(_ head: inout HeadRow, _ zone: ZoneRow) -> RecordRow {
        let record = trashed.record
        head.sequence += 1
        head.recordNumber += 1
        var row = draft.row(
            database: head.database, zone: zone.number, type: type.row, number: head.recordNumber,
            sequence: head.sequence, time: head.time, user: record.createdBy)
        row.createdAt = record.createdAt
        // The content is still that of its last author.
        row.modifiedBy = record.modifiedBy
        return row
    }

    /// The change for features. Without numbers: they are assigned when nothing can fail any more.
    func change(in zone: ZoneRow, at time: Milliseconds) -> RecordChange {
        RecordChange(
            cause: .restoration, type: type.row.name, name: draft.name, old: nil, oldRow: nil,
            new: draft.row(
                database: zone.database, zone: zone.number, type: type.row, number: 0, sequence: 0, time: time,
                user: trashed.record.createdBy))
    }

    private func deletion(of hidden: RecordStub, _ head: inout HeadRow) -> RecordDeletion {
        head.sequence += 1
        return RecordDeletion(of: hidden, by: head)
    }
}

extension RecordDraft {
    /// Targets that must exist besides the record itself.
    fileprivate var bindingTargets: [ReferenceTarget] {
        references.inOrder.filter { ReferenceKind.binding.contains($0.kind) && $0.target != name }
    }
}
