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

    /// What is asked about: records, those with each value of a field, or the elements of a list.
    var subject = Subject.records

    enum Subject: Sendable, Equatable {
        case records
        case split(Name)
        case list(Name)

        fileprivate var isSplit: Bool { if case .split = self { true } else { false } }

        func isOf(_ part: TrendPart) -> Bool {
            switch self {
            case .records: false
            case .split(let field): part.isSplit && part.field == field
            case .list(let field): !part.isSplit && part.field == field
            }
        }
    }

    /// Rows of counts that had no room in the head. There are that many only where nothing has folded them for long.
    private static let spillsMax = 10_000
    /// Days of all values of a field together.
    private static let daysMax = 300_000

    /// What of one type is asked for: by its number, and the parts.
    private struct Source {
        let name: Name
        let type: TypeNumber
        /// nil for the records themselves.
        let part: TrendPart?

        var key: UInt64 { part?.id ?? 0 }
    }

    /// In the order of ``types``; of one that is not there none.
    private func sources(_ catalog: Catalog) -> [Source] {
        types.flatMap { name -> [Source] in
            guard let type = catalog.types[name]?.row.number else { return [] }
            guard subject != .records else { return [Source(name: name, type: type, part: nil)] }
            let parts = catalog.parts(of: name)?.parts ?? []
            return parts.filter { subject.isOf($0) && $0.misfit(in: catalog) == nil }
                .map { Source(name: name, type: type, part: $0) }
        }
    }

    /// What must be read: the heads' part is of the same moment as the sums.
    ///
    /// - Parameter catalog: By which the types have their numbers.
    func reading(_ catalog: Catalog) -> ReadSet {
        var set = ReadSet()
        set.databases = [Trends.database]
        set.ask(Self.spills)
        set.ask(TrackerRow.all)
        for source in sources(catalog) {
            set.ask(TrendSumRow.of(side, source.type, source.key))
            set.ask(days(source))
        }
        return set
    }

    private static let spills = TrendSpillRow.of(Trends.database, limit: spillsMax)

    private func days(_ source: Source) -> Scan<TrendDayRow> {
        // A day of the zone begins a day of UTC earlier, perhaps.
        let day = max(0, (since ?? 0) - 1)
        guard source.part?.isSplit == true else {
            return TrendDayRow.since(day, of: TrendSeries(side: side, type: source.type, part: source.key))
        }
        return TrendDayRow.ofValues(side, source.type, source.key, since: day, limit: Self.daysMax)
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
        if let since, since > today { throw TrendFailure("since is after today, which is \(CivilDate(today))") }
        let sources = sources(reading.catalog)
        let counts = try sources.map { source in
            let rows = reading[self.days(source)]
            guard rows.count < Self.daysMax else {
                throw TrendFailure("these are too many values and days: say since")
            }
            return try Counted(
                reading[TrendSumRow.of(side, source.type, source.key)], rows,
                side == .inPublic ? fresh(reading, source) : [],
                TrendSeries(side: side, type: source.type, part: source.key), isSplit: source.part?.isSplit ?? false)
        }
        let first = since ?? counts.compactMap(\.firstQuarter).min().map { days.day(of: $0 * Trends.quarter) } ?? today
        let values = counts.reduce(0) { $0 + $1.series.count }
        let starts = try Self.starts(
            of: period, from: min(first, today), until: min(until ?? today, today), series: values)
        let limits = starts.map(days.beginning) + [days.beginning(of: end(of: starts))]
        let series = zip(sources, counts).flatMap { source, counted -> [TrendAnswer.Series] in
            let progress = progress(source, reading)
            let all = counted.series.sorted().map { series in
                var answer = TrendAnswer.Series(
                    type: source.name, split: source.part?.isSplit == true ? series.value : nil,
                    list: source.part?.isSplit == false ? source.part : nil, periods: starts.count)
                answer.add(
                    counted.quarters[series] ?? [], limits: limits, total: counted.totals[series] ?? TrendCounts())
                answer.progress = progress
                answer.firstDay = counted.firstQuarter.map { days.day(of: $0 * Trends.quarter) }
                return answer
            }
            return source.part?.isSplit == true ? all.sorted { $0.comes(before: $1) } : all
        }
        return TrendAnswer(
            days: days, period: period, starts: starts, isLastPartial: limits.last.map { $0 > now } ?? false, asOf: now,
            series: series, isSplit: subject.isSplit,
            progress: series.compactMap(\.progress).min { $0.percent < $1.percent })
    }

    /// What is in the head of the public database, and not in the sums yet.
    private func fresh(_ reading: Reading, _ source: Source) -> [(value: [UInt8], quarter: Int64, counts: TrendCounts)]
    {
        let annex = reading.databases.first.flatMap { $0?.annex }
        let own = reading[Self.spills].map(\.counts) + [annex?[Trends.name] ?? [], annex?[PartAnnex.name] ?? []]
        return own.flatMap { bytes -> [(value: [UInt8], quarter: Int64, counts: TrendCounts)] in
            if bytes.first == PartAnnex.version {
                PartAnnex(bytes).entries.filter { $0.type == source.type && $0.part == source.key }
                    .map { ($0.value, $0.quarter, $0.counts) }
            } else if source.part == nil {
                TrendAnnex(bytes).entries.filter { $0.type == source.type }.map { ([], $0.quarter, $0.counts) }
            } else {
                []
            }
        }
    }

    /// How far counting back is, and since when deletions are known; nil where everything is.
    private func progress(_ source: Source, _ reading: Reading) -> TrendAnswer.Progress? {
        guard let head = reading.databases.first.flatMap(\.self) else { return nil }
        let key = source.part.map { TrendKey(type: source.type, part: $0.id) } ?? TrendKey(type: source.type)
        let row = reading[TrackerRow.all].first { $0.side == side && $0.key == key && $0.phase == .counting }
        guard side == .inPublic else {
            return TrendAnswer.Progress(percent: row?.percent ?? 0, deletedSince: row?.deletedSince ?? 0)
        }
        guard let progress = head.trends[source.part == nil ? TrendState.all : key] else {
            return head.recordNumber == 0 ? nil : TrendAnswer.Progress(percent: 0, deletedSince: 0)
        }
        let known = source.part == nil ? progress.deletedSince : row?.deletedSince ?? 0
        guard !progress.isOver || known > 0 else { return nil }
        return TrendAnswer.Progress(
            percent: progress.isOver ? 100 : Int(progress.cursor * 100 / max(1, progress.through)), deletedSince: known)
    }

    /// The first days of periods.
    ///
    /// - Parameters:
    ///   - first: A day of the first of them.
    ///   - series: For so many things.
    /// - Throws: ``TrendFailure`` for more than an answer has.
    static func starts(
        of period: Days.Period, from first: Int64, until last: Int64, series: Int
    ) throws(TrendFailure) -> [Int64] {
        guard first <= last else { throw TrendFailure("there is nothing before \(CivilDate(first))") }
        var starts: [Int64] = []
        var day = Days.first(of: period, first)
        while day <= last {
            guard starts.count < periodsMax else {
                throw TrendFailure(
                    "these are more than \(periodsMax) periods: ask for months, or for less time")
            }
            starts.append(day)
            day = Days.next(period, after: day)
        }
        guard starts.count * series <= rowsMax else {
            throw TrendFailure(
                "these are more than \(rowsMax) periods of all types together: ask for fewer types, or for months")
        }
        return starts
    }

    private func end(of starts: [Int64]) -> Int64 { starts.last.map { Days.next(period, after: $0) } ?? 0 }
}

/// What is stored and fresh of one source, by series.
private struct Counted {
    private(set) var series: Set<TrendSeries> = []
    private(set) var quarters: [TrendSeries: [(quarter: Int64, counts: TrendCounts)]] = [:]
    private(set) var totals: [TrendSeries: TrendCounts] = [:]
    private(set) var firstQuarter: Int64?

    init(
        _ sums: [TrendSumRow], _ rows: [TrendDayRow],
        _ fresh: [(value: [UInt8], quarter: Int64, counts: TrendCounts)], _ series: TrendSeries,
        isSplit: Bool
    ) throws {
        // Records and lists have one series, also where there is nothing.
        if !isSplit { self.series = [series] }
        for sum in sums {
            self.series.insert(sum.series)
            totals[sum.series] = sum.counts
        }
        for row in rows {
            for (quarter, counts) in try row.read().quarters {
                quarters[row.series, default: []].append((row.day * Trends.quartersOfDay + Int64(quarter), counts))
            }
        }
        var known = SplitValues(sums.map(\.series))
        for entry in fresh {
            let place = isSplit ? known.place(of: series.of(entry.value)) : series
            self.series.insert(place)
            quarters[place, default: []].append((entry.quarter, entry.counts))
            totals[place, default: TrendCounts()] += entry.counts
        }
        firstQuarter = (sums.map(\.firstQuarter) + fresh.map(\.quarter)).min()
    }
}
