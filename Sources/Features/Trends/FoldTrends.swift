import NephosDomain
import NephosRunner
import NephosStorage

/// Adds what heads have counted to the sums, and empties them there, in one transaction: a kill loses nothing and counts nothing twice.
struct FoldTrends {
    /// How long after the first change at the latest.
    static let pause: Milliseconds = 1_000
    /// Databases of one transaction, the public one aside.
    static let databasesMax = 200
    /// Rows of spilled counts of one database, of one transaction.
    private static let spillsMax = 20

    /// Ascending; the public one, which has the sums, is the first.
    let databases: [DatabaseNumber]
    private let now: Milliseconds
    private static let news = NewsRow.of([Trends.topic])

    /// - Parameter now: The time.
    init(_ databases: [DatabaseNumber], now: Milliseconds) {
        self.now = now
        self.databases = [Trends.database] + databases.filter { $0 != Trends.database }.sorted()
    }

    private var spills: [Scan<TrendSpillRow>] {
        databases.map { TrendSpillRow.of($0, limit: Self.spillsMax) }
    }

    var reading: ReadSet {
        var set = ReadSet()
        set.databases = databases
        for scan in spills { set.ask(scan) }
        set.ask(Self.news)
        return set
    }

    /// Answers whether more is left than one transaction takes.
    func decide(_ reading: Reading) throws -> Decision<Bool> {
        var days: [TrendSeries: [Int64: DayCounts]] = [:]
        var set = WriteSet()
        var isMore = false
        for (head, scan) in zip(reading.databases, spills) {
            guard var head else { continue }
            let side: TrendSide = head.kind == .publicLane ? .inPublic : .inPrivate
            let spilled = reading[scan]
            isMore = isMore || spilled.count == Self.spillsMax
            let annex = head.annex[Trends.name]
            for entry in (spilled.map(\.counts) + [annex]).flatMap({ TrendAnnex($0).entries }) {
                let series = TrendSeries(side: side, type: entry.type)
                days[series, default: [:]][entry.quarter / Trends.quartersOfDay, default: DayCounts()]
                    .add(entry.counts, in: UInt8(entry.quarter % Trends.quartersOfDay))
            }
            for row in spilled { set.remove(row) }
            if !annex.isEmpty, head.annex.set([], of: Trends.name) { set.heads.append(head) }
        }
        let series = days.keys.sorted()
        guard !series.isEmpty else { return .write(set, isMore) }
        let keys = series.flatMap { one in (days[one] ?? [:]).keys.sorted().map { (series: one, day: $0) } }
        let (totals, stored) = (TrendTotalRow.of(series), TrendDayRow.at(keys))
        var more = ReadSet()
        more.ask(totals)
        more.ask(stored)
        if let more = reading.unread(of: more) { return .need(more) }
        let oldTotals = Dictionary(reading[totals].map { ($0.series, $0) }) { first, _ in first }
        let oldDays = Dictionary(grouping: reading[stored], by: \.series)
        for one in series {
            var total =
                oldTotals[one]
                ?? TrendTotalRow(side: one.side, type: one.type, firstQuarter: .max)
            for (day, counts) in (days[one] ?? [:]).sorted(by: { $0.key < $1.key }) {
                let old = oldDays[one]?.first { $0.day == day }
                var sum = try old.map { try DayCounts($0.counts) } ?? DayCounts()
                for (quarter, counts) in counts.quarters {
                    sum.add(counts, in: quarter)
                    total.counts += counts
                    total.firstQuarter = min(
                        total.firstQuarter, day * Trends.quartersOfDay + Int64(quarter))
                }
                set.put(
                    TrendDayRow(side: one.side, type: one.type, day: day, counts: sum.bytes),
                    replacing: old)
            }
            set.put(total, replacing: oldTotals[one])
        }
        set.post(Trends.topic, replacing: reading[Self.news].first, at: now)
        return .write(set, isMore)
    }
}

extension Job {
    /// Folds what was counted: the public database, and private ones that have counted something.
    static func foldTrends(_ worker: Worker) -> Job {
        Job(Trends.name, dueAfterWriting: nil) { run, store in
            var after: DatabaseNumber = 0
            while true {
                var set = ReadSet()
                set.annexes = [AnnexScan(after: after, limit: FoldTrends.databasesMax)]
                let heads = try await worker.read(set, from: store).annexes.first ?? []
                guard let last = heads.last else { return .over }
                let counted = heads.filter { !$0.annex[Trends.name].isEmpty }.map(\.database)
                if !counted.isEmpty {
                    let fold = FoldTrends(counted, now: worker.now)
                    while try await worker.runner.commit(fold.reading, to: store, decide: fold.decide) {
                        try await run.keep()
                    }
                }
                try await run.keep()
                after = last.database
            }
        }
    }
}
