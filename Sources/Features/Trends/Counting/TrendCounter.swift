import CloudKitWire
import NephosDomain
import NephosStorage

/// Counts records in the head of their database, in the statement that writes it anyway (docs/decisions/0038). All types of the public
/// database are counted, whatever the settings show, so that one that is shown later has its past.
struct TrendCounter: RecordCounter {
    func counts(_ type: Name, in kind: DatabaseKind, _ catalog: Catalog) -> Bool {
        guard kind == .personal else { return true }
        // Where the settings cannot be read nothing is counted that somebody may not have wanted to be.
        do throws(SectionFailure) { return try catalog.trends().privateTypes.contains(type) } catch { return false }
    }

    func count(_ tallies: [RecordTally], in head: HeadRow, at now: Milliseconds, _ rows: inout FollowingRows) {
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
        // An annex without entries says that somebody must have a look.
        guard !annex.isEmpty || counting.needsLook else { return }
        if wasNothing { rows.ask(for: Trends.name, at: now + FoldTrends.pause) }
        _ = rows.setAnnex(annex.bytes, of: Trends.name)
    }

    func swept(_ tallies: [RecordTally], from head: HeadRow, annex: inout HeadAnnex) -> Bool {
        let state = TrendState(annex[TrendState.name])
        var counts = TrendAnnex(annex[Trends.name])
        for tally in tallies {
            // What is not counted yet will not be counted back when it is gone.
            guard let progress = state[Counting.key(tally.type, head)] else { continue }
            // Sweeps know no single records: they wait until all are counted back.
            guard progress.isOver, counts.add(tally) else { return false }
        }
        return counts.isEmpty || annex.set(counts.bytes, of: Trends.name)
    }
}

/// What of a commit is counted, by how far counting back is.
private struct Counting {
    /// With what begins now; nil where nothing does, and what is stored need not be written.
    private(set) var moved: TrendState?
    /// Something is not counted yet, and nobody has begun to count it back.
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

    /// What is counted of a tally, and of what happened before to records that nobody would find any more.
    mutating func counted(_ tally: RecordTally) -> [RecordTally] {
        guard let progress = progress(Self.key(tally.type, head)) else {
            needsLook = true
            return []
        }
        guard !progress.isOver else { return [tally] }
        return tally.former.filter { progress.isAhead($0.number) }.flatMap { former -> [RecordTally] in
            let created = RecordTally(type: tally.type, .created, at: former.createdAt)
            guard let deletedAt = former.deletedAt else { return [created] }
            // What was deleted since counting began was credited when it was.
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

    /// In a database that has never had a record everything is counted from the first on. In a private one counting begins with this commit,
    /// and what was there before is counted back; in the public one whoever begins looks into the trash first (``AdjustTrackers``).
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
