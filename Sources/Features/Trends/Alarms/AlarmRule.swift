/// When a number of records is unusual: against the same days of the week before.
///
/// m is the median of the same day of the eight weeks before, and d the median of how far these were from m. There is an alarm where a day
/// is farther from m than 6 × d, than m / 2, and than 20. A jump alarms at once, a fall when the day is over.
struct AlarmRule: Sendable, Equatable {
    static let weeks = 8
    /// With fewer weeks of the past nothing is usual yet.
    static let weeksMin = 4

    enum Kind: Int64, Sendable { case jump = 1, fall = 2 }

    let median: Double
    let deviation: Double

    /// - Parameter counts: Of the same day of the weeks before, as many as are known; nil for fewer than ``weeksMin``.
    init?(_ counts: [Int64]) {
        guard counts.count >= Self.weeksMin else { return nil }
        let median = Self.median(counts.map(Double.init))
        self.median = median
        deviation = Self.median(counts.map { abs(Double($0) - median) })
    }

    init(median: Double, deviation: Double) { (self.median, self.deviation) = (median, deviation) }

    /// How far a day may be from the median.
    var limit: Double { max(6 * deviation, median / 2, 20) }

    /// - Parameter isOver: Whether the day is.
    func alarm(_ count: Int64, isOver: Bool) -> Kind? {
        let count = Double(count)
        if count - median > limit { return .jump }
        return isOver && median - count > limit ? .fall : nil
    }

    private static func median(_ numbers: [Double]) -> Double {
        let sorted = numbers.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
