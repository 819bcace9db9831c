import CloudKitWire
import NephosDomain
import NephosStorage

/// Counts records in the head of their database, in the statement that writes the head anyway (docs/decisions/0038). All types of
/// the public database are counted, whatever the settings show, so that a type that is shown later has its history.
struct TrendCounter: RecordCounter {
    func counts(_ type: Name, in kind: DatabaseKind, _ catalog: Catalog) -> Bool {
        guard kind == .personal else { return true }
        // If the settings cannot be read, nothing private is counted, as somebody may not have wanted it.
        do throws(SectionFailure) { return try catalog.trends().privateTypes.contains(type) } catch { return false }
    }

    func count(_ tallies: [RecordTally], in head: HeadRow, at now: Milliseconds, _ rows: inout RuleWrites) {
        var counting = Counting(rows.annex(of: TrendState.name), head)
        var annex = TrendAnnex(rows.annex(of: Trends.name))
        let wasNothing = annex.isNothing
        var part: Int64 = 0
        for tally in tallies {
            for tally in counting.counted(tally) where !annex.add(tally) {
                rows.put(
                    TrendSpillRow(database: head.database, sequence: head.sequence, part: part, counts: annex.bytes))
                part += 1
                annex = TrendAnnex([])
                _ = annex.add(tally)
            }
        }
        if let moved = counting.moved { _ = rows.setAnnex(moved.bytes, of: TrendState.name) }
        // An annex without entries signals that counting has to begin.
        guard !annex.isEmpty || counting.needsLook else { return }
        if wasNothing { rows.ask(for: Trends.name, at: now + FoldTrends.pause) }
        _ = rows.setAnnex(annex.bytes, of: Trends.name)
    }

    func swept(_ tallies: [RecordTally], from head: HeadRow, annex: inout HeadAnnex) -> Bool {
        let state = TrendState(annex[TrendState.name])
        var counts = TrendAnnex(annex[Trends.name])
        for tally in tallies {
            // Records that are not counted yet will not be counted back once they are gone.
            guard let progress = state[Counting.key(tally.type, head)] else { continue }
            // Sweeps do not know individual records, so they wait until everything is counted back.
            guard progress.isOver, counts.add(tally) else { return false }
        }
        return counts.isEmpty || annex.set(counts.bytes, of: Trends.name)
    }
}

/// Decides what of a commit is counted, depending on the progress of counting back.
private struct Counting {
    /// The state including what begins with this commit; nil if nothing begins and the stored state need not be written.
    private(set) var moved: TrendState?
    /// Something is not counted yet, and counting it back has not begun.
    private(set) var needsLook = false
    private let bytes: [UInt8]
    private let head: HeadRow
    private var last: (key: TrendKey, progress: TrendState.Progress)?

    init(_ bytes: [UInt8], _ head: HeadRow) {
        (self.bytes, self.head) = (bytes, head)
        last = TrendState.first(bytes)
    }

    static func key(_ type: TypeNumber, _ head: HeadRow) -> TrendKey {
        head.kind == .publicLane ? TrendState.all : TrendKey(type: type)
    }

    /// Returns what to count of a tally, including the earlier history of records that counting back would no longer find.
    mutating func counted(_ tally: RecordTally) -> [RecordTally] {
        guard let progress = progress(Self.key(tally.type, head)) else {
            needsLook = true
            return []
        }
        guard !progress.isOver else { return [tally] }
        return tally.former.filter { progress.isAhead($0.number) }.flatMap { former -> [RecordTally] in
            let created = RecordTally(type: tally.type, .created, at: former.createdAt)
            guard let deletedAt = former.deletedAt else { return [created] }
            // A deletion after counting began was counted when it happened.
            guard deletedAt <= progress.begunAt else { return [] }
            return [created, RecordTally(type: tally.type, .deleted, at: deletedAt)]
        } + [tally]
    }

    private mutating func progress(_ key: TrendKey) -> TrendState.Progress? {
        if let last, last.key == key { return last.progress }
        let state = moved ?? TrendState(bytes)
        guard let progress = state[key] ?? begin(key, in: state) else { return nil }
        last = (key, progress)
        return progress
    }

    /// In a database that has never had a record, everything is counted from the first record on. In a private database, counting
    /// begins with this commit, and existing records are counted back; in the public database, the trash has to be read first
    /// (``AdjustTrackers``).
    private mutating func begin(_ key: TrendKey, in state: TrendState) -> TrendState.Progress? {
        let progress: TrendState.Progress
        if head.recordNumber == 0 {
            progress = .whole
        } else {
            guard head.kind == .personal else { return nil }
            progress = .init(begunAt: head.time, through: head.recordNumber)
        }
        var larger = state
        larger[key] = progress
        guard larger.hasRoom else { return nil }
        moved = larger
        return progress
    }
}
