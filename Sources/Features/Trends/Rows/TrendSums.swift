import NephosDomain
import NephosStorage

/// What a transaction adds to the sums of all time.
struct TrendSums {
    private typealias Months = [TrendSeries: [Int64: MonthCounts]]

    private var months: Months = [:]
    /// Values of fields in the order of their first addition: the first ones are counted by themselves.
    private var order: [TrendSeries] = []

    var isEmpty: Bool { months.isEmpty }

    mutating func add(_ series: TrendSeries, at time: Milliseconds, _ counts: TrendCounts) {
        add(series, quarter: max(0, time) / Trends.quarter, counts)
    }

    mutating func add(_ series: TrendSeries, quarter: Int64, _ counts: TrendCounts) {
        if months[series] == nil, series.part != 0 { order.append(series) }
        let (month, quarter) = TrendMonth.of(quarter: quarter)
        months[series, default: [:]][month, default: MonthCounts()].add(counts, in: quarter)
    }

    /// Adds the contents of an annex or a spilled row.
    mutating func add(_ bytes: [UInt8], _ side: TrendSide) {
        if bytes.first == PartAnnex.version {
            for entry in PartAnnex(bytes).entries { add(TrendSeries(entry), quarter: entry.quarter, entry.counts) }
        } else {
            for entry in TrendAnnex(bytes).entries {
                add(TrendSeries(side: side, type: entry.type), quarter: entry.quarter, entry.counts)
            }
        }
    }

    /// The net changes, by series.
    var nets: [TrendSeries: Int64] {
        months.mapValues { $0.values.reduce(0) { $0 + $1.quarters.reduce(0) { $0 + $1.counts.net } } }
    }

    /// All series; values in the order of their first addition.
    var inOrder: [TrendSeries] { records + order }

    // MARK: Adding to stored sums

    private var records: [TrendSeries] { months.keys.filter { $0.part == 0 }.sorted() }
    private var ofRecords: Scan<TrendSumRow> { TrendSumRow.of(records) }
    /// All values of each part that is added to.
    private var ofParts: [Scan<TrendSumRow>] {
        Set(order.map { $0.of([]) }).sorted().map { TrendSumRow.of($0.side, $0.type, $0.part) }
    }

    /// What must still be read for ``write(_:to:)``, in two steps.
    func unread(_ reading: Reading) -> ReadSet? {
        guard !isEmpty else { return nil }
        var set = ReadSet()
        if !records.isEmpty { set.ask(ofRecords) }
        for scan in ofParts { set.ask(scan) }
        if let more = reading.unread(of: set) { return more }
        set = ReadSet()
        set.ask(TrendMonthRow.at(keys(of: placed(reading))))
        return reading.unread(of: set)
    }

    private func keys(of months: Months) -> [(series: TrendSeries, month: Int64)] {
        months.keys.sorted().flatMap { one in (months[one] ?? [:]).keys.sorted().map { (series: one, month: $0) } }
    }

    /// The months, with values that have no series of their own added to "other".
    private func placed(_ reading: Reading) -> Months {
        guard !order.isEmpty else { return months }
        var known = SplitValues(ofParts.flatMap { reading[$0] }.map(\.series))
        var placed = months.filter { $0.key.part == 0 }
        for series in order {
            let place = known.place(of: series)
            for (month, counts) in months[series] ?? [:] {
                for (quarter, counts) in counts.quarters {
                    placed[place, default: [:]][month, default: MonthCounts()].add(counts, in: quarter)
                }
            }
        }
        return placed
    }

    func write(_ reading: Reading, to set: inout WriteSet) throws {
        guard !isEmpty else { return }
        let months = placed(reading)
        let sums = (records.isEmpty ? [] : reading[ofRecords]) + ofParts.flatMap { reading[$0] }
        let oldSums = Dictionary(sums.map { ($0.series, $0) }) { first, _ in first }
        let oldMonths = Dictionary(grouping: reading[TrendMonthRow.at(keys(of: months))], by: \.series)
        for series in months.keys.sorted() {
            var total = oldSums[series] ?? TrendSumRow(series: series, firstQuarter: .max)
            for (month, counts) in (months[series] ?? [:]).sorted(by: { $0.key < $1.key }) {
                let old = oldMonths[series]?.first { $0.month == month }
                var sum = try old?.read() ?? MonthCounts()
                for (quarter, counts) in counts.quarters {
                    sum.add(counts, in: quarter)
                    total.counts += counts
                    total.firstQuarter = min(total.firstQuarter, TrendMonth.start(of: month) + quarter)
                }
                set.put(TrendMonthRow(series, month, sum), replacing: old)
            }
            set.put(total, replacing: oldSums[series])
        }
    }
}

/// Which values of fields are counted by themselves: the first ones, which are never replaced.
struct SplitValues {
    /// Values per field of a type.
    static let most = 200

    private var known: [TrendSeries: Set<[UInt8]>]

    /// - Parameter series: Those that are stored.
    init(_ series: [TrendSeries]) {
        known = Dictionary(grouping: series) { $0.of([]) }.mapValues { Set($0.map(\.value)) }
    }

    mutating func place(of series: TrendSeries) -> TrendSeries {
        var values = known[series.of([])] ?? []
        if values.contains(series.value) || series.value == TypeParts.other { return series }
        guard values.count - (values.contains(TypeParts.other) ? 1 : 0) < Self.most else {
            return series.of(TypeParts.other)
        }
        values.insert(series.value)
        known[series.of([])] = values
        return series
    }
}

extension TrendSeries {
    init(_ entry: PartAnnex.Entry) { self.init(type: entry.type, part: entry.part, value: entry.value) }

    var valueText: String { String(decoding: value, as: UTF8.self) }

    func of(_ value: [UInt8]) -> TrendSeries {
        var series = self
        series.value = value
        return series
    }
}
