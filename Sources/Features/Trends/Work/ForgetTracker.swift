import NephosDomain
import NephosRunner
import NephosStorage

/// Counts of a database that are not added up yet, and that must not be added to what begins again.
struct UnfoldedCounts {
    private let spilled: [TrendSpillRow]

    /// - Parameter spilled: All of the database.
    init(_ spilled: [TrendSpillRow]) { self.spilled = spilled }

    func forget(_ keys: [TrendKey], _ head: inout HeadRow, _ set: inout WriteSet) {
        for name in [Trends.name, PartAnnex.name] where !head.annex[name].isEmpty {
            _ = head.annex.set(Self.without(keys, head.annex[name]), of: name)
        }
        for row in spilled {
            var rest = row
            rest.counts = Self.without(keys, row.counts)
            if rest != row { set.put(rest, replacing: row) }
        }
    }

    private static func without(_ keys: [TrendKey], _ bytes: [UInt8]) -> [UInt8] {
        if bytes.first == PartAnnex.version {
            var rest = PartAnnex([])
            for entry in PartAnnex(bytes).entries
            where !keys.contains(TrendKey(type: entry.type, part: entry.part)) { _ = rest.add(entry) }
            return rest.bytes
        }
        var rest = TrendAnnex([])
        for entry in TrendAnnex(bytes).entries where !keys.contains(TrendKey(type: entry.type)) { rest.add(entry) }
        return rest.bytes
    }
}

/// Removes the counts of something that is no longer wanted, in batches.
struct ForgetTracker {
    private static let rowsMax = 500

    private static let news = NewsRow.of([Trends.topic])

    let row: TrackerRow
    let now: Milliseconds

    private var months: Scan<TrendMonthRow> { TrendMonthRow.some(row.side, row.type, row.part, limit: Self.rowsMax) }
    private var sums: Scan<TrendSumRow> { TrendSumRow.of(row.side, row.type, row.part) }
    private var newest: Scan<TrendNewestRow> { TrendNewestRow.newest(row.key, limit: Self.rowsMax) }
    private var rare: Scan<TrendRareRow> { TrendRareRow.some(row.side, row.type, row.part, limit: Self.rowsMax) }
    private var tracker: Scan<TrackerRow> { TrackerRow.all }

    var reading: ReadSet {
        var set = ReadSet()
        set.databases = [Trends.database]
        set.ask(tracker)
        set.ask(months)
        set.ask(sums)
        if row.part != 0 {
            set.ask(newest)
            set.ask(rare)
        }
        set.ask(Self.news)
        return set
    }

    /// Returns whether there is more.
    func decide(_ reading: Reading) -> Decision<Bool> {
        guard reading[tracker].contains(row) else { return .write(WriteSet(), false) }
        var set = WriteSet()
        for row in reading[months] { set.remove(row) }
        let lists = row.part == 0 ? [] : reading[newest]
        for row in lists { set.remove(row) }
        let values = row.part == 0 ? [] : reading[rare]
        for row in values { set.remove(row) }
        guard [reading[months].count, lists.count, values.count].allSatisfy({ $0 < Self.rowsMax }) else {
            return .write(set, true)
        }
        for row in reading[sums] { set.remove(row) }
        set.remove(row)
        set.post(Trends.topic, replacing: reading[Self.news].first, at: now)
        return .write(set, false)
    }
}
