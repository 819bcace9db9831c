/// When a number of records is unusual, compared with the same day of earlier weeks.
///
/// m is the median of the same day in the previous eight weeks, and d the median of the deviations from m. An alarm is raised if
/// a day differs from m by more than 6 × d, m / 2, and 20. A jump is reported immediately, a fall when the day is over.
struct AlarmRule: Sendable, Equatable {
    static let weeks = 8
    /// With fewer known weeks, nothing counts as unusual.
    static let weeksMin = 4

    enum Kind: Int64, Sendable { case jump = 1, fall = 2 }

    let median: Double
    let deviation: Double

    /// - Parameter counts: The counts of the same day in earlier weeks, as many as are known; the result is nil if there are
    ///   fewer than ``weeksMin``.
    init?(_ counts: [Int64]) {
        guard counts.count >= Self.weeksMin else { return nil }
        let median = Self.median(counts.map(Double.init))
        self.median = median
        deviation = Self.median(counts.map { abs(Double($0) - median) })
    }

    init(median: Double, deviation: Double) { (self.median, self.deviation) = (median, deviation) }

    /// How far a day may be from the median.
    var limit: Double { max(6 * deviation, median / 2, 20) }

    /// - Parameter isOver: Whether the day is over.
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
