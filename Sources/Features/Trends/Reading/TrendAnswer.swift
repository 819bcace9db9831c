import CloudKitWire
import NephosDomain
import NephosStorage

/// Why a question cannot be answered.
struct TrendFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// How many records were created, deleted and restored in each period, and how many there were at its end.
struct TrendAnswer: Sendable {
    struct Series: Sendable {
        let type: Name
        /// The value of the field that these records have, empty for none; nil for all records.
        let split: [UInt8]?
        /// The list that this series is about; nil for records.
        let list: TrendPart?
        private(set) var counts: [TrendCounts]
        private(set) var live: [Int64]
        /// In which periods anything is known; nil for all. What was counted elsewhere is known on days whose figures were sent.
        private var known: [Bool]?
        /// Of all time.
        private(set) var total = TrendCounts()
        /// nil if everything that ever existed is counted.
        var progress: Progress?
        /// The first day with any count, since 1970; nil if there is none.
        var firstDay: Int64?
        /// The source of imported figures; nil for what this server counts.
        var source: String?
        /// The container, if several are shown together.
        var container: String?

        init(type: Name, split: [UInt8]?, list: TrendPart?) {
            (self.type, self.split, self.list) = (type, split, list)
            (counts, live) = ([], [])
        }

        /// - Parameters:
        ///    - rows: All rows since the first period began, at least, ascending.
        ///    - fresh: Counts that are not in the rows yet.
        ///    - limits: The quarters of an hour in which the periods begin, and the end of the last.
        ///    - total: Of all time.
        mutating func count(
            _ rows: [TrendMonthRow], _ fresh: [(quarter: Int64, counts: TrendCounts)], limits: [Int64],
            total: TrendCounts
        ) throws(StorageError) {
            self.total = total
            var sums = PeriodSums(limits)
            for row in rows { try sums.add(row) }
            for (quarter, more) in fresh { sums.add(more, quarter) }
            // Backward from the end, by subtracting the changes since.
            var live = total.net - sums.after
            counts = sums.counts
            self.live = counts.withUnsafeBufferPointer { counts in
                Array(unsafeUninitializedCapacity: counts.count) { lives, count in
                    var place = counts.count
                    while place > 0 {
                        place -= 1
                        lives[place] = live
                        live -= counts[place].net
                    }
                    count = counts.count
                }
            }
        }

        /// Sets the counts of each period and the numbers at its end, as imported.
        ///
        /// - Parameter known: In which periods anything is known; in others there are no counts, and the number is the last known one.
        mutating func set(_ counts: [TrendCounts], live: [Int64], known: [Bool], total: TrendCounts) {
            (self.counts, self.live, self.known, self.total) = (counts, live, known, total)
        }

        func isKnown(_ period: Int) -> Bool { known?[period] ?? true }

        var isKnownThroughout: Bool { known?.allSatisfy(\.self) ?? true }

        /// The numbers with nil in place of those of unknown periods.
        func known(_ numbers: [Int64]) -> [Int64?] {
            numbers.indices.map { isKnown($0) ? numbers[$0] : nil }
        }

        /// Drops the first periods.
        mutating func drop(first count: Int) {
            counts.removeFirst(count)
            live.removeFirst(count)
            known?.removeFirst(count)
        }

        /// Inserts empty periods before the first.
        mutating func add(first count: Int) {
            counts.insert(contentsOf: repeatElement(TrendCounts(), count: count), at: 0)
            live.insert(contentsOf: repeatElement(0, count: count), at: 0)
            known?.insert(contentsOf: repeatElement(false, count: count), at: 0)
        }
    }

    let days: Days
    let period: Days.Period
    /// The first days of the periods, since 1970.
    let starts: [Int64]
    /// Whether the last period is not over yet.
    let isLastPartial: Bool
    /// The moment up to which everything is counted.
    let asOf: Milliseconds
    let series: [Series]
    /// Whether it is about the values of a field, of which there may be any number.
    let isSplit: Bool
    /// The least progress of any series; nil if everything that ever existed is counted.
    let progress: Progress?
    /// The counts that were examined for it alone because they are not in the sums yet.
    var examined = 0

    /// What is not known of the past.
    struct Progress: Sendable, Equatable {
        /// How much of what existed before is counted back; 100 for all.
        let percent: Int
        /// Since when deletions are known; 0 if this is not known yet.
        let deletedSince: Milliseconds
    }
}

extension TrendAnswer {
    /// What is not known of the past, as text for people; nil if everything is known.
    var pastNote: String? {
        guard let progress else { return nil }
        if progress.percent < 100 {
            return
                "A running server is still counting back earlier records: \(progress.percent) % so far."
        }
        guard progress.deletedSince > 0 else { return nil }
        return "Records deleted before \(CivilDate(days.day(of: progress.deletedSince))) were not counted."
    }
}

extension TrendAnswer.Series {
    /// Orders values by number of records, highest first; "other" is last.
    func comes(before other: Self) -> Bool {
        func order(_ one: Self) -> (Int, Int64, Int64) {
            (
                one.split == TypeParts.other ? 1 : 0, -(one.live.last ?? 0),
                -one.counts.reduce(0) { $0 + $1.created }
            )
        }
        let (own, its) = (order(self), order(other))
        return own == its ? (split ?? []).lexicographicallyPrecedes(other.split ?? []) : own < its
    }

    /// As text.
    var splitText: String? { split.map { String(decoding: $0, as: UTF8.self) } }
}

extension TrendAnswer.Series {
    /// The name of the series, for people.
    var title: String {
        let place = (source.map { " in \($0)" } ?? "") + (container.map { " of \($0)" } ?? "")
        if let list { return "\(type).\(list.field)" + (list.of.map { " of \($0)" } ?? "") + place }
        guard let splitText else { return type.text + place }
        return "\(type) \(splitText.isEmpty ? "without a value" : splitText)" + place
    }
}
