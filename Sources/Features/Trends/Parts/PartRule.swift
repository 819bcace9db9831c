import CloudKitWire
import NephosDomain
import NephosStorage

/// Counts the elements of lists and the values of fields in the public database, as far as the settings name them: it sees what
/// records held before, and writes the changes into the annex of the head.
struct PartRule: RecordRule {
    var readsFields: Bool { true }

    var needsPossibleChanges: Bool { false }

    func concerns(_ type: Name, in catalog: Catalog) -> Bool { catalog.parts(of: type) != nil }

    func follow(_ changes: RecordChanges, _ reading: FoundRows, _ rows: inout RuleWrites) {
        guard changes.head.kind == .publicLane else { return }
        var counting = PartCounting(TrendState(rows.annex(of: TrendState.name)), changes)
        for change in changes.all { counting.count(change) }
        counting.entries.write(from: TrendSpillRow.parts, changes, &rows)
    }
}

extension [PartAnnex.Entry] {
    /// Adds the entries to the annex of the head, and to rows if there is no room.
    ///
    /// - Parameter place: The number of the first such row within the commit.
    func write(from place: Int64, _ changes: RecordChanges, _ rows: inout RuleWrites) {
        guard !isEmpty else { return }
        var annex = PartAnnex(rows.annex(of: PartAnnex.name))
        if annex.isEmpty { rows.ask(for: Trends.name, at: changes.now + FoldTrends.pause) }
        var place = place
        for entry in self where !annex.add(entry) {
            rows.put(
                TrendSpillRow(
                    database: changes.head.database, sequence: changes.head.sequence, part: place,
                    counts: annex.bytes))
            place += 1
            annex = PartAnnex([])
            _ = annex.add(entry)
        }
        _ = rows.setAnnex(annex.bytes, of: PartAnnex.name)
    }
}

extension Catalog {
    /// The parts of a type that the settings name; nil if there are none, or if the settings cannot be read.
    func parts(of type: Name) -> TypeParts? {
        do throws(SectionFailure) { return try trends().partsByType[type] } catch { return nil }
    }
}

/// Adds up the changes of a commit by part.
struct PartCounting {
    private(set) var entries: [PartAnnex.Entry] = []
    private let state: TrendState
    private let catalog: Catalog
    private let now: Milliseconds
    private var last: (type: Name, parts: TypeParts?)?

    init(_ state: TrendState, _ changes: RecordChanges) {
        (self.state, catalog, now) = (state, changes.catalog, changes.now)
    }

    mutating func count(_ change: RecordChange) {
        guard let parts = parts(of: change.type), let type = change.new?.type ?? change.old?.type else { return }
        let before = change.oldRow.map { row in
            parts.amounts(of: row.name, catalog.types[change.type].map { row.liveFields(of: $0) } ?? row.fields)
        }
        let after = change.new.map { parts.amounts(of: $0.name, $0.fields) }
        for place in parts.counted {
            let id = parts.ids[place]
            guard let progress = state[TrendKey(type: type, part: id)] else { continue }
            let own = OnePart(
                type: type, id: id, isSplit: parts.areSplits[place], before: before?[place], after: after?[place])
            own.count(change, progress, now, into: &entries)
        }
    }

    /// Cached, as the changes of a commit are mostly of one type.
    private mutating func parts(of type: Name) -> TypeParts? {
        if let last, last.type == type { return last.parts }
        let parts = catalog.parts(of: type)
        last = (type, parts)
        return parts
    }
}

/// What a change adds to one part.
private struct OnePart {
    let type: TypeNumber
    let id: UInt64
    let isSplit: Bool
    let before, after: TypeParts.Amount?

    func count(
        _ change: RecordChange, _ progress: TrendState.Progress, _ now: Milliseconds,
        into entries: inout [PartAnnex.Entry]
    ) {
        if let old = change.old, let before {
            let isAhead = progress.isAhead(old.number)
            if let after {
                // Counting back will see the record as it is then.
                guard !isAhead, before != after else { return }
                guard isSplit else { return add(TrendCounts(moved: after.count - before.count), at: now, to: &entries) }
                add(TrendCounts(moved: -1), before.value, at: now, to: &entries)
                return add(TrendCounts(moved: 1), after.value, at: now, to: &entries)
            }
            if isAhead { add(.created, before, at: old.createdAt, to: &entries) }
            return add(.deleted, before, at: now, to: &entries)
        }
        guard let after, let new = change.new, change.old == nil else { return }
        guard let former = change.former else { return add(.created, after, at: new.createdAt, to: &entries) }
        add(.restored, after, at: now, to: &entries)
        if progress.isAhead(former.number), let deletedAt = former.deletedAt, deletedAt <= progress.begunAt {
            add(.created, after, at: former.createdAt, to: &entries)
            add(.deleted, after, at: deletedAt, to: &entries)
        }
    }

    private func add(
        _ event: RecordTally.Event, _ amount: TypeParts.Amount, at time: Milliseconds,
        to entries: inout [PartAnnex.Entry]
    ) {
        add(TrendCounts(event, amount.count, isSplit: isSplit), amount.value, at: time, to: &entries)
    }

    private func add(
        _ counts: TrendCounts, _ value: [UInt8] = [], at time: Milliseconds, to entries: inout [PartAnnex.Entry]
    ) {
        guard !counts.isZero else { return }
        entries.append(
            PartAnnex.Entry(
                type: type, part: id, value: value, quarter: max(0, time) / Trends.quarter, counts: counts))
    }
}

extension TrendCounts {
    /// The counts of a part when a record is created, deleted or restored. A list only grows and shrinks.
    init(_ event: RecordTally.Event, _ count: Int64, isSplit: Bool) {
        self.init()
        switch (event, isSplit) {
        case (.created, true): created = count
        case (.deleted, true): deleted = count
        case (.restored, true): restored = count
        case (.deleted, false): moved = -count
        case (_, false): moved = count
        }
    }
}

extension TrendPart {
    /// The entry for a record that is created, deleted or restored. A list only grows and shrinks.
    func entry(
        _ type: TypeNumber, _ amount: TypeParts.Amount, _ event: RecordTally.Event, at time: Milliseconds
    ) -> PartAnnex.Entry {
        let counts = TrendCounts(event, amount.count, isSplit: isSplit)
        return PartAnnex.Entry(
            type: type, part: id, value: amount.value, quarter: max(0, time) / Trends.quarter, counts: counts)
    }
}
