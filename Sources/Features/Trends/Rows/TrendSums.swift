import NephosDomain
import NephosStorage

/// What a transaction adds to the sums of all time.
struct TrendSums {
    fileprivate typealias Months = [TrendSeries: [Int64: MonthCounts]]

    private var months: Months = [:]
    /// Values of fields in the order of their first addition.
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

    /// What must still be read for ``write(_:at:to:)``, in three steps.
    func unread(_ reading: Reading) -> ReadSet? {
        guard !isEmpty else { return nil }
        var set = ReadSet()
        if !records.isEmpty { set.ask(ofRecords) }
        for scan in ofParts { set.ask(scan) }
        if let more = reading.unread(of: set) { return more }
        set = ReadSet()
        let rare = rare(reading)
        if !rare.isEmpty { set.ask(TrendRareRow.of(rare)) }
        if let more = reading.unread(of: set) { return more }
        let plan = plan(reading)
        set = ReadSet()
        set.ask(TrendMonthRow.at(keys(of: plan.months)))
        for series in plan.rewritten { set.ask(TrendMonthRow.since(0, of: series)) }
        return reading.unread(of: set)
    }

    private func keys(of months: Months) -> [(series: TrendSeries, month: Int64)] {
        months.keys.sorted().flatMap { one in (months[one] ?? [:]).keys.sorted().map { (series: one, month: $0) } }
    }

    /// The stored series of the parts that are added to.
    private func known(_ reading: Reading) -> SplitValues { SplitValues(ofParts.flatMap { reading[$0] }) }

    /// The values without a series of their own.
    private func rare(_ reading: Reading) -> [TrendSeries] {
        guard !order.isEmpty else { return [] }
        var known = known(reading)
        let nets = nets
        return order.filter { known.counted($0, net: nets[$0] ?? 0) != $0 }.sorted()
    }

    /// What is written.
    private struct Plan {
        /// Values without a series of their own are added to "other".
        var months: Months
        /// How many have each value that is part of "other"; 0 to remove its row.
        var rare: [TrendSeries: Int64] = [:]
        /// Values that get a series of their own, how many have them, and the series that they take the place of.
        var risen: [(series: TrendSeries, count: Int64, fallen: TrendSeries)] = []

        /// The series whose months are all read: the fallen ones become part of the others.
        var rewritten: [TrendSeries] {
            Set(risen.flatMap { [$0.fallen, $0.fallen.of(TypeParts.other)] }).sorted()
        }
    }

    private func plan(_ reading: Reading) -> Plan {
        guard !order.isEmpty else { return Plan(months: months) }
        var known = known(reading)
        let nets = nets
        var plan = Plan(months: months.filter { $0.key.part == 0 })
        for series in order {
            let counted = known.counted(series, net: nets[series] ?? 0)
            for (month, counts) in months[series] ?? [:] {
                for (quarter, counts) in counts.quarters {
                    plan.months[counted, default: [:]][month, default: MonthCounts()].add(counts, in: quarter)
                }
            }
        }
        let rare = rare(reading)
        guard !rare.isEmpty else { return plan }
        for row in reading[TrendRareRow.of(rare)] { plan.rare[row.series] = row.count }
        for series in rare { plan.rare[series, default: 0] += nets[series] ?? 0 }
        for (series, count) in plan.rare.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            guard plan.risen.count < SplitValues.risingMax, let fallen = known.rise(series, count) else { continue }
            plan.risen.append((series, count, fallen.series))
            plan.rare[series] = 0
            plan.rare[fallen.series] = fallen.count
        }
        return plan
    }

    /// - Parameter now: The time. Values that get a series of their own move to it then.
    func write(_ reading: Reading, at now: Milliseconds, to set: inout WriteSet) throws {
        guard !isEmpty else { return }
        let plan = plan(reading)
        let rows = (records.isEmpty ? [] : reading[ofRecords]) + ofParts.flatMap { reading[$0] }
        var sums = StoredSums(rows, reading[TrendMonthRow.at(keys(of: plan.months))])
        for series in plan.rewritten { sums.add(reading[TrendMonthRow.since(0, of: series)]) }
        for (series, months) in plan.months { sums.add(months, to: series) }
        for rise in plan.risen {
            try sums.merge(rise.fallen, into: rise.fallen.of(TypeParts.other))
            let (month, quarter) = TrendMonth.of(quarter: max(0, now) / Trends.quarter)
            for (series, count) in [(rise.series, rise.count), (rise.series.of(TypeParts.other), -rise.count)] {
                var counts = MonthCounts()
                counts.add(TrendCounts(moved: count), in: quarter)
                sums.add([month: counts], to: series)
            }
        }
        try sums.write(to: &set)
        let rare = rare(reading)
        let stored = rare.isEmpty ? [] : reading[TrendRareRow.of(rare)]
        for (series, count) in plan.rare.sorted(by: { $0.key < $1.key }) {
            let old = stored.first { $0.series == series }
            if count != 0 {
                set.put(TrendRareRow(series: series, count: count), replacing: old)
            } else if let old {
                set.remove(old)
            }
        }
    }
}

/// Sums and months as stored, and what is added to them.
private struct StoredSums {
    private let sums: [TrendSeries: TrendSumRow]
    private var months: [TrendSeries: [Int64: TrendMonthRow]] = [:]
    private var added: [TrendSeries: [Int64: MonthCounts]] = [:]
    /// Series that are removed.
    private var gone: [TrendSeries] = []

    init(_ sums: [TrendSumRow], _ months: [TrendMonthRow]) {
        self.sums = Dictionary(sums.map { ($0.series, $0) }) { first, _ in first }
        add(months)
    }

    mutating func add(_ rows: [TrendMonthRow]) {
        for row in rows { months[row.series, default: [:]][row.month] = row }
    }

    mutating func add(_ counts: [Int64: MonthCounts], to series: TrendSeries) {
        for (month, counts) in counts {
            for (quarter, counts) in counts.quarters {
                added[series, default: [:]][month, default: MonthCounts()].add(counts, in: quarter)
            }
        }
    }

    /// Adds all that a series has to another one, and removes it.
    mutating func merge(_ series: TrendSeries, into other: TrendSeries) throws {
        for (month, row) in months[series] ?? [:] { add([month: try row.read()], to: other) }
        if let more = added.removeValue(forKey: series) { add(more, to: other) }
        gone.append(series)
    }

    func write(to set: inout WriteSet) throws {
        for series in added.keys.sorted() {
            var total = sums[series] ?? TrendSumRow(series: series, firstQuarter: .max)
            for (month, counts) in (added[series] ?? [:]).sorted(by: { $0.key < $1.key }) {
                let old = months[series]?[month]
                var sum = try old?.read() ?? MonthCounts()
                for (quarter, counts) in counts.quarters {
                    sum.add(counts, in: quarter)
                    total.counts += counts
                    total.firstQuarter = min(total.firstQuarter, TrendMonth.start(of: month) + quarter)
                }
                set.put(TrendMonthRow(series, month, sum), replacing: old)
            }
            set.put(total, replacing: sums[series])
        }
        for series in gone {
            for row in (months[series] ?? [:]).values.sorted(by: { $0.month < $1.month }) { set.remove(row) }
            if let row = sums[series] { set.remove(row) }
        }
    }
}

/// Which values of fields are counted by themselves: the most frequent ones. Anybody can invent values, but not the number of those
/// that have one.
struct SplitValues {
    /// Values per field of a type.
    static let most = 200
    /// Values that get a series of their own in one transaction, which rewrites the months of as many others.
    static let risingMax = 16

    /// How many have each value, by part.
    private var known: [TrendSeries: [TrendSeries: Int64]]

    /// - Parameter counts: How many there are of each series that is counted by itself.
    init(_ counts: [TrendSeries: Int64]) {
        known = Dictionary(grouping: counts) { $0.key.of([]) }.mapValues { values in
            Dictionary(values.map { ($0.key, $0.value) }) { first, _ in first }
        }
    }

    init(_ rows: [TrendSumRow]) {
        self.init(Dictionary(rows.map { ($0.series, $0.counts.net) }) { first, _ in first })
    }

    /// The series with which a value is counted, to which some are added: its own, or "other".
    mutating func counted(_ series: TrendSeries, net: Int64) -> TrendSeries {
        var values = known[series.of([])] ?? [:]
        let other = series.of(TypeParts.other)
        if series != other, values[series] == nil {
            guard values.count - (values[other] == nil ? 0 : 1) < Self.most else { return other }
        }
        values[series, default: 0] += net
        known[series.of([])] = values
        return series
    }

    /// Lets a value have the series of the rarest one, if more than twice as many have it: nobody should be able to make values
    /// take turns.
    ///
    /// - Returns: The rarest, and how many have it; nil if none is that rare.
    mutating func rise(_ series: TrendSeries, _ count: Int64) -> (series: TrendSeries, count: Int64)? {
        var values = known[series.of([])] ?? [:]
        let own = values.filter { $0.key != series.of(TypeParts.other) }
        guard let rarest = own.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }),
            count > 2 * max(0, rarest.value)
        else { return nil }
        values[rarest.key] = nil
        values[series] = count
        known[series.of([])] = values
        return (rarest.key, rarest.value)
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
