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
        var annex = TrendAnnex(rows.annex(of: Trends.name))
        if annex.isEmpty { rows.ask(for: Trends.name, at: now + FoldTrends.pause) }
        var part: Int64 = 0
        for tally in tallies where !annex.add(tally) {
            rows.put(
                TrendSpillRow(database: head.database, sequence: head.sequence, part: part, counts: annex.bytes))
            part += 1
            annex = TrendAnnex([])
            _ = annex.add(tally)
        }
        _ = rows.setAnnex(annex.bytes, of: Trends.name)
    }

    func swept(_ tallies: [RecordTally], from head: HeadRow, annex: inout HeadAnnex) -> Bool {
        var counts = TrendAnnex(annex[Trends.name])
        return tallies.allSatisfy { counts.add($0) } && annex.set(counts.bytes, of: Trends.name)
    }
}
