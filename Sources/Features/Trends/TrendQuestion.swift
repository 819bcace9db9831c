import CloudKitWire
import NephosDomain
import NephosStorage

/// What somebody wants to know: of which types, from when to when, by what.
struct TrendQuestion: Sendable {
    /// Types of one answer, periods, and periods of all types together.
    static let typesMax = 200
    static let periodsMax = 10_000
    static let rowsMax = 200_000

    var types: [Name]
    var side: TrendSide = .inPublic
    /// Days of the zone, since 1970; nil for from the first on that has any.
    var since: Int64?
    /// The last day; nil for today.
    var until: Int64?
    var period: Days.Period = .day
    var days: Days

    /// Rows of counts that had no room in the head. There are that many only where nothing has folded them for long.
    private static let spillsMax = 10_000

    /// What must be read: the heads' part is of the same moment as the sums.
    ///
    /// - Parameter catalog: By which the types have their numbers.
    func reading(_ catalog: Catalog) -> ReadSet {
        var set = ReadSet()
        set.databases = [Trends.database]
        set.ask(Self.spills)
        let series = series(catalog).compactMap(\.self)
        set.ask(TrendTotalRow.of(series))
        for series in series { set.ask(rows(series)) }
        return set
    }

    /// In the order of ``types``; nil for one that is not there.
    private func series(_ catalog: Catalog) -> [TrendSeries?] {
        types.map { name in catalog.types[name].map { TrendSeries(side: side, type: $0.row.number) } }
    }

    private static let spills = TrendSpillRow.of(Trends.database, limit: spillsMax)

    private func rows(_ series: TrendSeries) -> Scan<TrendDayRow> {
        // A day of the zone begins a day of UTC earlier, perhaps.
        TrendDayRow.since(max(0, (since ?? 0) - 1), of: series)
    }

    /// - Parameters:
    ///   - reading: Of what it asked for, by the same catalog.
    ///   - now: The time.
    /// - Throws: ``TrendFailure`` for more than an answer has; `StorageError` for what cannot be read.
    func answer(_ reading: Reading, now: Milliseconds) throws -> TrendAnswer {
        guard reading[Self.spills].count < Self.spillsMax else {
            throw TrendFailure("what was counted has not been added up yet: start a server, and ask again in a minute")
        }
        let today = days.day(of: now)
        let fresh = side == .inPublic ? Self.fresh(reading) : [:]
        let series = series(reading.catalog)
        let known = reading[TrendTotalRow.of(series.compactMap(\.self))]
        let totals = Dictionary(known.map { ($0.series, $0) }) { first, _ in first }
        let first = since ?? firstDay(series.compactMap(\.self), totals, fresh) ?? today
        let starts = try starts(from: min(first, today), until: min(until ?? today, today))
        let limits = starts.map(days.beginning) + [days.beginning(of: end(of: starts))]
        return TrendAnswer(
            days: days, period: period, starts: starts, isLastPartial: limits.last.map { $0 > now } ?? false, asOf: now,
            series: try zip(types, series).map { type, series in
                var counts = TrendAnswer.Series(type: type, periods: starts.count)
                guard let series else { return counts }
                var total = totals[series]?.counts ?? TrendCounts()
                let rows = try reading[rows(series)].map { ($0.day, try DayCounts($0.counts)) }
                var quarters = rows.flatMap { day, counts in
                    counts.quarters.map { (day * Trends.quartersOfDay + Int64($0.key), $0.value) }
                }
                for entry in fresh[series] ?? [] {
                    quarters.append((entry.quarter, entry.counts))
                    total += entry.counts
                }
                counts.add(quarters, limits: limits, total: total)
                counts.firstDay = firstDay([series], totals, fresh)
                return counts
            })
    }

    private func firstDay(
        _ series: [TrendSeries], _ totals: [TrendSeries: TrendTotalRow],
        _ fresh: [TrendSeries: [TrendAnnex.Entry]]
    ) -> Int64? {
        let stored = series.compactMap { totals[$0]?.firstQuarter }
        let new = series.flatMap { fresh[$0] ?? [] }.map(\.quarter)
        return (stored + new).min().map { days.day(of: $0 * Trends.quarter) }
    }

    private func starts(from first: Int64, until last: Int64) throws(TrendFailure) -> [Int64] {
        guard first <= last else { throw TrendFailure("the time begins after it ends: say since before until") }
        var starts: [Int64] = []
        var day = Days.first(of: period, first)
        while day <= last {
            guard starts.count < Self.periodsMax else {
                throw TrendFailure(
                    "these are more than \(Self.periodsMax) periods: ask for months, or for less time")
            }
            starts.append(day)
            day = Days.next(period, after: day)
        }
        guard starts.count * types.count <= Self.rowsMax else {
            throw TrendFailure(
                "these are more than \(Self.rowsMax) periods of all types together: ask for fewer types, or for months")
        }
        return starts
    }

    private func end(of starts: [Int64]) -> Int64 { starts.last.map { Days.next(period, after: $0) } ?? 0 }

    /// What is in the head of the public database, and not in the sums yet.
    private static func fresh(_ reading: Reading) -> [TrendSeries: [TrendAnnex.Entry]] {
        let annex = reading.databases.first.flatMap { $0?.annex[Trends.name] } ?? []
        let entries = (reading[spills].map(\.counts) + [annex]).flatMap { TrendAnnex($0).entries }
        return Dictionary(grouping: entries) { TrendSeries(side: .inPublic, type: $0.type) }
    }
}

/// Why there is no answer.
struct TrendFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// How many records came, went and came back in each period, and how many there were at its end.
struct TrendAnswer: Sendable {
    struct Series: Sendable {
        let type: Name
        private(set) var counts: [TrendCounts]
        private(set) var live: [Int64]
        /// Of all times.
        private(set) var total = TrendCounts()
        /// The first day with any, since 1970; nil where there is none.
        var firstDay: Int64?

        init(type: Name, periods: Int) {
            self.type = type
            counts = Array(repeating: TrendCounts(), count: periods)
            live = Array(repeating: 0, count: periods)
        }

        /// - Parameters:
        ///   - quarters: Of all since the first period began, at least.
        ///   - limits: When the periods begin, and the last ends.
        ///   - total: Of all times.
        mutating func add(
            _ quarters: [(quarter: Int64, counts: TrendCounts)], limits: [Milliseconds], total: TrendCounts
        ) {
            self.total = total
            var after: Int64 = 0
            for (quarter, more) in quarters {
                let time = quarter * Trends.quarter
                guard let place = Self.place(of: time, limits) else {
                    if let last = limits.last, time >= last { after += more.net }
                    continue
                }
                counts[place] += more
            }
            // From the end back, by what came and went since.
            var live = total.net - after
            for place in counts.indices.reversed() {
                self.live[place] = live
                live -= counts[place].net
            }
        }

        /// Leaves the first periods out.
        mutating func drop(first count: Int) {
            counts.removeFirst(count)
            live.removeFirst(count)
        }

        /// The period of a moment; nil before the first and after the last.
        private static func place(of time: Milliseconds, _ limits: [Milliseconds]) -> Int? {
            var (low, high) = (0, limits.count)
            while low < high {
                let middle = (low + high) / 2
                if limits[middle] <= time { low = middle + 1 } else { high = middle }
            }
            return low == 0 || low == limits.count ? nil : low - 1
        }
    }

    let days: Days
    let period: Days.Period
    /// The first days of the periods, since 1970.
    let starts: [Int64]
    /// The last period is not over.
    let isLastPartial: Bool
    /// The moment up to which everything is counted.
    let asOf: Milliseconds
    let series: [Series]
}
