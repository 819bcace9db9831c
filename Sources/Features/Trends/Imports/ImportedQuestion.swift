import CloudKitWire
import NephosDomain
import NephosStorage

/// A question about imported figures.
struct ImportedQuestion: Sendable {
    let source: String
    /// Empty for all types that the source has.
    let types: [Name]
    /// The field of a list; nil for records.
    let list: Name?
    let since, until: Int64?
    let period: Days.Period
    /// The zone of the days; nil for the zone of the source, which is the only one supported.
    let zone: String?
    /// The number of periods, up to the last one; nil for all.
    var last: Int?

    /// - Throws: ``TrendFailure`` for figures that are never imported, and for text that is not a valid day.
    init(
        source: String, types: [String], since: String?, until: String?, by: String?, zone: String?, isPrivate: Bool,
        split: String?, list: String?
    ) throws(TrendFailure) {
        guard split == nil, !isPrivate else {
            throw TrendFailure("figures from \(source.prefix(64)) have neither splits nor private databases")
        }
        guard types.count <= TrendQuestion.typesMax else {
            throw TrendFailure("a response can have at most \(TrendQuestion.typesMax) types: name those that you need")
        }
        self.source = source
        self.types = types.map { Name($0) }
        self.list = list.map { Name($0) }
        (self.since, self.until) = try TrendQuestion.span(since, until)
        period = try TrendQuestion.period(by)
        self.zone = zone
    }

    /// Those of the requested types; of all if none is requested.
    private var years: [Scan<ImportYearRow>] {
        guard !types.isEmpty else { return [ImportYearRow.of(source)] }
        return Set(types).sorted().map { ImportYearRow.of(source, $0, list ?? "") }
    }

    var reading: ReadSet {
        var set = ReadSet()
        set.ask(ImportSeriesRow.of(source))
        for scan in years { set.ask(scan) }
        return set
    }

    /// - Parameter now: The time.
    /// - Throws: ``TrendFailure`` for figures that the source does not have; `StorageError` for unreadable data.
    func answer(_ reading: Reading, now: Milliseconds) throws -> TrendAnswer {
        let series = try own(reading[ImportSeriesRow.of(source)])
        let name = series.first?.zone ?? "UTC"
        guard zone == nil || zone == name, let days = Days(zone: name) else {
            throw TrendFailure("\(source) has days of \(name), and cannot show those of another zone")
        }
        let starts = try starts(series, days, now)
        let end = starts.last.map { Days.next(period, after: $0) } ?? 0
        let numbersOf = Dictionary(grouping: years.flatMap { reading[$0] }) { [$0.type, $0.list] }
        return TrendAnswer(
            days: days, period: period, starts: starts, isLastPartial: days.beginning(of: end) > now,
            asOf: series.map(\.at).max() ?? now,
            series: try series.map { row in
                var numbers: [(day: Int64, number: Int64)] = []
                for year in numbersOf[[row.type, row.list]] ?? [] {
                    let start = CivilDate(year: year.year, month: 1, day: 1).days
                    numbers += try ImportedDays(year.days).numbers.map { (start + $0.key, $0.value) }
                }
                return answer(row, numbers.sorted { $0.day < $1.day }, starts, end: end)
            }, isSplit: false, progress: nil)
    }

    private func own(_ rows: [ImportSeriesRow]) throws(TrendFailure) -> [ImportSeriesRow] {
        guard !rows.isEmpty else {
            throw TrendFailure(
                "there are no figures from the source \(Name(source).excerpt): list all with nephos trends list")
        }
        let own = rows.filter { $0.list == list ?? "" }.sorted { $0.type < $1.type }
        let what = list.map { " by the list \($0.excerpt)" } ?? ""
        for type in types where !own.contains(where: { $0.type == type }) {
            throw TrendFailure("\(source) has no figures of \(type.excerpt)\(what)")
        }
        guard types.isEmpty else { return types.compactMap { type in own.first { $0.type == type } } }
        guard !own.isEmpty || list == nil else { throw TrendFailure("\(source) has no figures\(what)") }
        return own
    }

    private func starts(_ series: [ImportSeriesRow], _ days: Days, _ now: Milliseconds) throws(TrendFailure) -> [Int64]
    {
        let today = days.day(of: now)
        let end = min(until ?? today, today)
        var first = min(since ?? series.map(\.firstDay).min() ?? today, today)
        if let last {
            first = Days.first(of: period, end)
            for _ in 1..<last where first > 0 { first = Days.first(of: period, first - 1) }
        }
        return try TrendQuestion.starts(of: period, from: max(0, first), until: end, series: series.count)
    }

    private func answer(
        _ row: ImportSeriesRow, _ numbers: [(day: Int64, number: Int64)], _ starts: [Int64], end: Int64
    ) -> TrendAnswer.Series {
        let isList = !row.list.bytes.isEmpty
        var answer = TrendAnswer.Series(
            type: row.type, split: nil, list: isList ? TrendPart(row.type, row.list, .elsewhere) : nil)
        var counts = Array(repeating: TrendCounts(), count: starts.count)
        var (live, known): ([Int64], [Bool]) = ([], [])
        var (place, now): (Int, Int64) = (0, 0)
        func pass(before day: Int64) {
            while place < numbers.count, numbers[place].day < day {
                now = isList ? numbers[place].number : now + numbers[place].number
                place += 1
            }
        }
        if let first = starts.first { pass(before: first) }
        for (period, next) in (starts.dropFirst() + [end]).enumerated() {
            let (before, first) = (now, place)
            pass(before: next)
            // A list grows or shrinks; of records, only creations are known.
            counts[period] = TrendCounts(created: max(0, now - before), deleted: max(0, before - now))
            live.append(now)
            // A day without a figure was not counted: it is not known to be empty.
            known.append(place > first)
        }
        pass(before: .max)
        answer.set(counts, live: live, known: known, total: TrendCounts(created: now))
        answer.firstDay = row.firstDay
        answer.source = source
        return answer
    }
}
