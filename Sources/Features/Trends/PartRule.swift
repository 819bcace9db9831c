import CloudKitWire
import NephosDomain
import NephosStorage

/// Counts the elements of lists and the values of fields in the public database, where the settings name them: it sees what records held
/// before, and writes what changes into the annex of the head.
struct PartRule: RecordRule {
    var readsFields: Bool { true }

    var judges: Bool { false }

    func concerns(_ type: Name, in catalog: Catalog) -> Bool { catalog.parts(of: type) != nil }

    func follow(_ changes: RecordChanges, _ reading: Reading, _ rows: inout FollowingRows) {
        guard changes.head.kind == .publicLane else { return }
        var counting = PartCounting(TrendState(rows.annex(of: TrendState.name)), changes)
        for change in changes.all { counting.count(change) }
        counting.entries.write(from: TrendSpillRow.parts, changes, &rows)
    }
}

extension [PartAnnex.Entry] {
    /// Adds them to the annex of the head, and what has no room there to rows.
    ///
    /// - Parameter place: The first of the rows, among those of the commit.
    func write(from place: Int64, _ changes: RecordChanges, _ rows: inout FollowingRows) {
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
    /// What is counted of a type, as the settings say; nil for nothing, and where they cannot be read.
    func parts(of type: Name) -> TypeParts? {
        do throws(SectionFailure) { return try trends().partsByType[type] } catch { return nil }
    }
}

/// What the changes of a commit come to, part by part.
struct PartCounting {
    private(set) var entries: [PartAnnex.Entry] = []
    private let state: TrendState
    private let catalog: Catalog
    private let now: Milliseconds

    init(_ state: TrendState, _ changes: RecordChanges) {
        (self.state, catalog, now) = (state, changes.catalog, changes.now)
    }

    mutating func count(_ change: RecordChange) {
        guard let parts = catalog.parts(of: change.type), let type = change.new?.type ?? change.old?.type else {
            return
        }
        let before = change.oldRow.map { row in
            parts.amounts(of: row.name, catalog.types[change.type].map { row.liveFields(of: $0) } ?? row.fields)
        }
        let after = change.new.map { parts.amounts(of: $0.name, $0.fields) }
        for (place, part) in parts.parts.enumerated() where part.kind != .newest {
            guard let progress = state[TrendKey(type: type, part: part.id)] else { continue }
            let own = OnePart(type: type, part: part, before: before?[place], after: after?[place])
            entries += own.entries(of: change, progress, now).filter { !$0.counts.isZero }
        }
    }
}

/// What a change comes to for one part.
private struct OnePart {
    let type: TypeNumber
    let part: TrendPart
    let before, after: TypeParts.Amount?

    func entries(
        of change: RecordChange, _ progress: TrendState.Progress, _ now: Milliseconds
    ) -> [PartAnnex.Entry] {
        if let old = change.old, let before {
            let isAhead = progress.isAhead(old.number)
            if let after {
                // Counting back will see it as it is then.
                guard !isAhead, before != after else { return [] }
                guard part.isSplit else { return [moved(after.count - before.count, at: now)] }
                return [moved(-1, before.value, at: now), moved(1, after.value, at: now)]
            }
            return (isAhead ? [came(before, at: old.createdAt)] : []) + [went(before, at: now)]
        }
        guard let after, let new = change.new, change.old == nil else { return [] }
        guard let former = change.former else { return [came(after, at: new.createdAt)] }
        var entries = [returned(after, at: now)]
        if progress.isAhead(former.number), let deletedAt = former.deletedAt, deletedAt <= progress.begunAt {
            entries += [came(after, at: former.createdAt), went(after, at: deletedAt)]
        }
        return entries
    }

    private func came(_ amount: TypeParts.Amount, at time: Milliseconds) -> PartAnnex.Entry {
        part.entry(type, amount, .created, at: time)
    }
    private func went(_ amount: TypeParts.Amount, at time: Milliseconds) -> PartAnnex.Entry {
        part.entry(type, amount, .deleted, at: time)
    }
    private func returned(_ amount: TypeParts.Amount, at time: Milliseconds) -> PartAnnex.Entry {
        part.entry(type, amount, .restored, at: time)
    }
    private func moved(_ count: Int64, _ value: [UInt8] = [], at time: Milliseconds) -> PartAnnex.Entry {
        PartAnnex.Entry(
            type: type, part: part.id, value: value, quarter: max(0, time) / Trends.quarter,
            counts: TrendCounts(moved: count))
    }
}

extension TrendPart {
    /// What it comes to that a record came, went or came back. A list only becomes longer and shorter.
    func entry(
        _ type: TypeNumber, _ amount: TypeParts.Amount, _ event: RecordTally.Event, at time: Milliseconds
    ) -> PartAnnex.Entry {
        var counts = TrendCounts()
        switch (event, isSplit) {
        case (.created, true): counts.created = amount.count
        case (.deleted, true): counts.deleted = amount.count
        case (.restored, true): counts.restored = amount.count
        case (.deleted, false): counts.moved = -amount.count
        case (_, false): counts.moved = amount.count
        }
        return PartAnnex.Entry(
            type: type, part: id, value: amount.value, quarter: max(0, time) / Trends.quarter, counts: counts)
    }
}
