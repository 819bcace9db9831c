import CloudKitWire
import NephosDomain
import NephosStorage

/// Why there is no answer.
struct TrendFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// How many records came, went and came back in each period, and how many there were at its end.
struct TrendAnswer: Sendable {
    struct Series: Sendable {
        let type: Name
        /// The value of a field that these records have; nil for all records. Empty for none.
        let split: [UInt8]?
        /// The list that this is about; nil for records.
        let list: TrendPart?
        private(set) var counts: [TrendCounts]
        private(set) var live: [Int64]
        /// Of all times.
        private(set) var total = TrendCounts()
        /// nil where everything that ever was is counted.
        var progress: Progress?
        /// The first day with any, since 1970; nil where there is none.
        var firstDay: Int64?
        /// Who has counted it elsewhere and handed it in; nil for what this server counts.
        var source: String?
        /// Whose this is, where it stands beside others.
        var container: String?

        init(type: Name, split: [UInt8]?, list: TrendPart?) {
            (self.type, self.split, self.list) = (type, split, list)
            (counts, live) = ([], [])
        }

        /// - Parameters:
        ///   - rows: Of all since the first period began, at least, ascending.
        ///   - fresh: What is not in the rows yet.
        ///   - limits: The quarters of an hour in which the periods begin, and the last ends.
        ///   - total: Of all times.
        mutating func count(
            _ rows: [TrendMonthRow], _ fresh: [(quarter: Int64, counts: TrendCounts)], limits: [Int64],
            total: TrendCounts
        ) throws(StorageError) {
            self.total = total
            var sums = PeriodSums(limits)
            for row in rows { try sums.add(row) }
            for (quarter, more) in fresh { sums.add(more, quarter) }
            // From the end back, by what came and went since.
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

        /// Counts of each period, and how many there were at its end, as somebody else has counted them.
        mutating func set(_ counts: [TrendCounts], live: [Int64], total: TrendCounts) {
            (self.counts, self.live, self.total) = (counts, live, total)
        }

        /// Leaves the first periods out.
        mutating func drop(first count: Int) {
            counts.removeFirst(count)
            live.removeFirst(count)
        }

        /// Puts empty periods before the first.
        mutating func add(first count: Int) {
            counts.insert(contentsOf: repeatElement(TrendCounts(), count: count), at: 0)
            live.insert(contentsOf: repeatElement(0, count: count), at: 0)
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
    /// It is about the values of a field, of which there may be any number.
    let isSplit: Bool
    /// Of the series of which least is known; nil where everything that ever was is counted.
    let progress: Progress?

    /// What is not known of the past.
    struct Progress: Sendable, Equatable {
        /// Of what was there before it was counted; 100 for all.
        let percent: Int
        /// Since when deletions are known; 0 where that is not known yet.
        let deletedSince: Milliseconds
    }
}

extension TrendAnswer {
    /// What is not known of the past, for people; nil where everything is.
    var pastNote: String? {
        guard let progress else { return nil }
        if progress.percent < 100 {
            return
                "What was there before it was counted is being counted back: \(progress.percent) % so far, by a running server."
        }
        guard progress.deletedSince > 0 else { return nil }
        return "What was deleted before \(CivilDate(days.day(of: progress.deletedSince))) was not counted."
    }
}

extension TrendAnswer.Series {
    /// Values with the most records come first, and the rest of them last.
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
    /// What it is of, for people.
    var title: String {
        let place = (source.map { " in \($0)" } ?? "") + (container.map { " of \($0)" } ?? "")
        if let list { return "\(type).\(list.field)" + (list.of.map { " of \($0)" } ?? "") + place }
        guard let splitText else { return type.text + place }
        return "\(type) \(splitText.isEmpty ? "without a value" : splitText)" + place
    }
}
