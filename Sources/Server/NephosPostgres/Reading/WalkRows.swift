/// The number of rows that a walk requests at a time. Most walks end soon, so that it begins with few; a long one requests more and more.
struct WalkRows {
    private let examinedLimit: Int
    /// Rows to request now: at most the number that may be examined, and one more, which shows whether there are more.
    private(set) var limit: Int

    /// - Parameter want: Minimum number of rows that the page needs.
    init(examinedLimit: Int, want: Int) {
        self.examinedLimit = max(0, examinedLimit)
        limit = min(self.examinedLimit, max(0, want), batchMax) + 1
    }

    /// - Parameter examined: The number of rows that were examined so far.
    mutating func grow(examined: Int) {
        limit = min(max(0, examinedLimit - examined), 4 * limit, batchMax) + 1
    }
}

/// A result with this many rows takes about a megabyte.
private let batchMax = 10_000
