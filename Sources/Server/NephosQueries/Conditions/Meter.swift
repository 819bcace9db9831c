import NephosStorage

/// Counts comparisons, and stops them at a limit: also within a record, because one may have half a million members.
struct Meter {
    private static let checkInterval = 4_096

    private(set) var comparisons = 0
    /// Comparing ended before the result was known; the result must be ignored.
    private(set) var isOver = false
    private(set) var isAbandoned = false
    /// The maximum number of comparisons.
    var limit: Int {
        didSet {
            nextCheck = comparisons
            isOver = isAbandoned
        }
    }
    private let abandonment: Abandonment?
    private var nextCheck = 0

    init(limit: Int = .max, abandonment: Abandonment? = nil) {
        self.limit = limit
        self.abandonment = abandonment
    }

    /// Counts comparisons. - Returns: Whether comparing continues.
    @inline(__always)
    mutating func goesOn(_ count: Int = 1) -> Bool {
        comparisons += count
        return comparisons < nextCheck || check()
    }

    private mutating func check() -> Bool {
        isAbandoned = abandonment?.isAbandoned == true
        isOver = isAbandoned || comparisons > limit
        nextCheck = isOver ? comparisons : comparisons + min(Self.checkInterval, limit - comparisons) + 1
        return !isOver
    }
}
