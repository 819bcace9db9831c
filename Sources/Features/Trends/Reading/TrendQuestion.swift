import CloudKitWire
import NephosDomain
import NephosStorage

/// A question: which types, from when to when, by which period.
struct TrendQuestion: Sendable {
    /// The limits of a response: types, periods, and periods of all types together.
    static let typesMax = 200
    static let periodsMax = 10_000
    static let rowsMax = 200_000

    var types: [Name]
    var side: TrendSide = .inPublic
    /// Days of the zone, since 1970; nil to begin with the first that has any count.
    var since: Int64?
    /// The last day; nil for today.
    var until: Int64?
    var period: Days.Period = .day
    var days: Days

    /// The subject: records, records by value of a field, or the elements of a list.
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

    /// Rows of counts that had no room in the head. There are this many only if nothing has folded them for a long time.
    static let spillsMax = 10_000
    /// Months of all values of a field together.
    private static let monthsMax = 50_000

    /// What is read for one type: its number, and the part.
    private struct Source {
        let name: Name
        let type: TypeNumber
        /// nil for the records themselves.
        let part: TrendPart?
        /// The epoch of the part's field; a field that is removed and added again with the same name has another epoch.
        var epoch: Int64 = 0

        var key: UInt64 { part?.id ?? 0 }
    }

    /// In the order of ``types``, without those that do not exist.
    private func sources(_ catalog: Catalog) -> [Source] {
        if side == .ofClients {
            var part: TrendPart?
            if case .split(let field) = subject { part = TrendPart(ClientSeries.type, field, .split) }
            return [Source(name: ClientSeries.type, type: ClientSeries.number, part: part)]
        }
        return sourcesOfTypes(catalog)
    }

    private func sourcesOfTypes(_ catalog: Catalog) -> [Source] {
        types.flatMap { name -> [Source] in
            guard let type = catalog.types[name]?.row.number else { return [] }
            guard subject != .records else { return [Source(name: name, type: type, part: nil)] }
            let parts = catalog.parts(of: name)?.parts ?? []
            return parts.filter { subject.isOf($0) && $0.mismatch(in: catalog) == nil }
                .map {
                    Source(name: name, type: type, part: $0, epoch: catalog.types[name]?.fields[$0.field]?.epoch ?? 0)
                }
        }
    }

    /// The read set. The annexes of heads are read at the same moment as the sums.
    ///
    /// - Parameter catalog: Has the numbers of the types.
    func reading(_ catalog: Catalog) -> ReadSet {
        var set = ReadSet()
        set.databases = [Trends.database]
        set.ask(Self.spills)
        set.ask(TrackerRow.all)
        let sources = sources(catalog)
        for scan in sums(of: sources) { set.ask(scan) }
        for source in sources { set.ask(months(source)) }
        return set
    }

    private static let spills = TrendSpillRow.of(Trends.database, limit: spillsMax)

    /// Those of records are read together.
    private func sums(of sources: [Source]) -> [Scan<TrendSumRow>] {
        guard subject == .records else { return sources.map { TrendSumRow.of(side, $0.type, $0.key) } }
        let types = Set(sources.map(\.type)).sorted()
        return types.isEmpty ? [] : [TrendSumRow.of(types.map { TrendSeries(side: side, type: $0) })]
    }

    private func months(_ source: Source) -> Scan<TrendMonthRow> {
        // A day of the zone may begin on the previous day of UTC.
        let month = TrendMonth.of(day: max(0, (since ?? 0) - 1))
        guard source.part?.isSplit == true else {
            return TrendMonthRow.since(month, of: TrendSeries(side: side, type: source.type, part: source.key))
        }
        return TrendMonthRow.ofValues(side, source.type, source.key, since: month, limit: Self.monthsMax)
    }

    /// - Parameters:
    ///   - reading: The result of the read set, by the same catalog.
    ///   - now: The time.
    ///   - latest: ``latest(_:)`` of the reading, if it answers several questions about the same side.
    /// - Throws: ``TrendFailure`` if the response would be too long; `StorageError` for unreadable data.
    func answer(_ reading: Reading, now: Milliseconds, _ latest: Latest? = nil) throws -> TrendAnswer {
        let pending = try latest ?? self.latest(reading)
        let today = days.day(of: now)
        if let since, since > today { throw TrendFailure("since is after today, which is \(CivilDate(today))") }
        let sources = sources(reading.catalog)
        let known = Known(sums: sums(of: sources).flatMap { reading[$0] }, pending)
        let counts = try sources.map { source in
            let rows = reading[months(source)]
            guard rows.count < Self.monthsMax else {
                throw TrendFailure("these are too many values and months: pass since")
            }
            let key = TrendKey(type: source.type, part: source.key)
            let isCurrent = isCurrent(source, known)
            return Counted(
                isCurrent ? known.sums[key] ?? [] : [], isCurrent ? rows : [],
                isCurrent ? known.latest.fresh[key] ?? [] : [],
                TrendSeries(side: side, type: source.type, part: source.key), isSplit: source.part?.isSplit ?? false)
        }
        let first = since ?? counts.compactMap(\.firstQuarter).min().map { days.day(of: $0 * Trends.quarter) } ?? today
        let values = counts.reduce(0) { $0 + $1.all.count }
        let starts = try Self.starts(
            of: period, from: min(first, today), until: min(until ?? today, today), series: values)
        let limits = starts.map(days.beginning) + [days.beginning(of: end(of: starts))]
        // A quarter belongs to the period in which it begins.
        let quarters = limits.map { $0 > 0 ? ($0 + Trends.quarter - 1) / Trends.quarter : $0 / Trends.quarter }
        let series = try zip(sources, counts).flatMap { source, counted -> [TrendAnswer.Series] in
            let progress = progress(source, reading, known)
            let all = try counted.all.map { one in
                var answer = TrendAnswer.Series(
                    type: source.name, split: source.part?.isSplit == true ? one.series.value : nil,
                    list: source.part?.isSplit == false ? source.part : nil)
                try answer.count(one.months, one.fresh, limits: quarters, total: one.total)
                answer.progress = progress
                answer.firstDay = counted.firstQuarter.map { days.day(of: $0 * Trends.quarter) }
                return answer
            }
            return source.part?.isSplit == true ? all.sorted { $0.comes(before: $1) } : all
        }
        return TrendAnswer(
            days: days, period: period, starts: starts, isLastPartial: limits.last.map { $0 > now } ?? false, asOf: now,
            series: series, isSplit: subject.isSplit,
            progress: series.compactMap(\.progress).min { $0.percent < $1.percent },
            examined: latest == nil ? pending.examined : 0)
    }

    /// What is not in the sums yet. There may be much of it, so questions about the same side share it.
    ///
    /// - Throws: ``TrendFailure`` if it is too much.
    func latest(_ reading: Reading) throws(TrendFailure) -> Latest {
        guard reading[Self.spills].count < Self.spillsMax else {
            throw TrendFailure("recent counts have not been summed yet: start a server, and try again in a minute")
        }
        return Latest(
            trackers: reading[TrackerRow.all].filter { $0.side == side },
            annexes: side == .inPublic ? annexes(reading) : [])
    }

    /// What is in the head of the public database and not yet in the sums.
    private func annexes(_ reading: Reading) -> [[UInt8]] {
        let annex = reading.databases.first.flatMap { $0?.annex }
        return reading[Self.spills].map(\.counts) + [annex?[Trends.name] ?? [], annex?[PartAnnex.name] ?? []]
    }

    /// Whether the counts of a part belong to the current field. After a field was removed, nothing is shown until its counts are
    /// forgotten and the new field is counted.
    private func isCurrent(_ source: Source, _ known: Known) -> Bool {
        source.part == nil || side == .ofClients
            || known.latest.trackers[TrendKey(type: source.type, part: source.key)]?.fieldEpoch == source.epoch
    }

    /// How far counting back is, and since when deletions are known; nil if everything is known.
    private func progress(_ source: Source, _ reading: Reading, _ known: Known) -> TrendAnswer.Progress? {
        guard side != .ofClients, let head = reading.databases.first.flatMap(\.self) else { return nil }
        let key = TrendKey(type: source.type, part: source.key)
        let row = known.latest.trackers[key]
        guard side == .inPublic else {
            return TrendAnswer.Progress(percent: row?.percent ?? 0, deletedSince: row?.deletedSince ?? 0)
        }
        guard let progress = head.trends[source.part == nil ? TrendState.all : key], isCurrent(source, known) else {
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
    ///   - first: A day in the first period.
    ///   - series: The number of series.
    /// - Throws: ``TrendFailure`` if the response would be too long.
    static func starts(
        of period: Days.Period, from first: Int64, until last: Int64, series: Int
    ) throws(TrendFailure) -> [Int64] {
        guard first <= last else { throw TrendFailure("there are no figures before \(CivilDate(first))") }
        var starts: [Int64] = []
        var day = Days.first(of: period, first)
        while day <= last {
            guard starts.count < periodsMax else {
                throw TrendFailure(
                    "these are more than \(periodsMax) periods: request months, or a shorter time")
            }
            starts.append(day)
            day = Days.next(period, after: day)
        }
        guard starts.count * series <= rowsMax else {
            throw TrendFailure(
                "these are more than \(rowsMax) periods of all types together: request fewer types, or months")
        }
        return starts
    }

    private func end(of starts: [Int64]) -> Int64 { starts.last.map { Days.next(period, after: $0) } ?? 0 }
}

/// The trackers of a side, and what is not in its sums yet.
struct Latest: Sendable {
    fileprivate private(set) var trackers: [TrendKey: TrackerRow] = [:]
    fileprivate private(set) var fresh: [TrendKey: [(value: [UInt8], quarter: Int64, counts: TrendCounts)]] = [:]
    /// The counts that were examined.
    private(set) var examined = 0

    fileprivate init(trackers: [TrackerRow], annexes: [[UInt8]]) {
        for row in trackers where row.phase == .counting { self.trackers[row.key] = row }
        for bytes in annexes {
            if bytes.first == PartAnnex.version {
                for entry in PartAnnex(bytes).entries {
                    add(TrendKey(type: entry.type, part: entry.part), entry.value, entry.quarter, entry.counts)
                }
            } else {
                for entry in TrendAnnex(bytes).entries {
                    add(TrendKey(type: entry.type), [], entry.quarter, entry.counts)
                }
            }
        }
    }

    private mutating func add(_ key: TrendKey, _ value: [UInt8], _ quarter: Int64, _ counts: TrendCounts) {
        examined += 1
        fresh[key, default: []].append((value, quarter, counts))
    }
}

/// What is stored of all sources of a question.
private struct Known {
    let sums: [TrendKey: [TrendSumRow]]
    let latest: Latest

    init(sums: [TrendSumRow], _ latest: Latest) {
        self.sums = Dictionary(grouping: sums) { TrendKey(type: $0.series.type, part: $0.series.part) }
        self.latest = latest
    }
}

/// The stored and fresh counts of one source, by series.
private struct Counted {
    struct One {
        let series: TrendSeries
        var months: [TrendMonthRow] = []
        /// What is not in the rows yet, in no particular order.
        var fresh: [(quarter: Int64, counts: TrendCounts)] = []
        var total = TrendCounts()

        mutating func add(_ counts: TrendCounts, in quarter: Int64) {
            fresh.append((quarter, counts))
            total += counts
        }
    }

    /// Ordered by value.
    private(set) var all: [One]
    let firstQuarter: Int64?

    init(
        _ sums: [TrendSumRow], _ rows: [TrendMonthRow],
        _ fresh: [(value: [UInt8], quarter: Int64, counts: TrendCounts)], _ series: TrendSeries,
        isSplit: Bool
    ) {
        firstQuarter = min(sums.map(\.firstQuarter).min() ?? .max, fresh.map(\.quarter).min() ?? .max).unlessMax
        guard isSplit else {
            // Records and lists have one series, even without counts.
            var one = One(series: series, months: rows)
            for sum in sums { one.total += sum.counts }
            for entry in fresh { one.add(entry.counts, in: entry.quarter) }
            all = [one]
            return
        }
        var ones: [TrendSeries: One] = [:]
        for sum in sums { ones[sum.series] = One(series: sum.series, total: sum.counts) }
        for row in rows { ones[row.series, default: One(series: row.series)].months.append(row) }
        var known = SplitValues(sums)
        for entry in fresh {
            let counted = known.counted(series.of(entry.value), net: entry.counts.net)
            ones[counted, default: One(series: counted)].add(entry.counts, in: entry.quarter)
        }
        all = ones.values.sorted { $0.series < $1.series }
    }
}

extension Int64 {
    fileprivate var unlessMax: Int64? { self == .max ? nil : self }
}
