/// How many rows a walk asks for at once. Most walks end soon, so that it begins with few; one that goes far asks for
/// ever more.
struct WalkRows {
    private let examinedLimit: Int
    /// Rows to ask for now: never more than may be looked at, and one, which tells that there is more.
    private(set) var limit: Int

    /// - Parameter want: Rows that the page needs at least.
    init(examinedLimit: Int, want: Int) {
        self.examinedLimit = max(0, examinedLimit)
        limit = min(self.examinedLimit, max(0, want), batchMax) + 1
    }

    /// - Parameter examined: Rows that were looked at so far.
    mutating func grow(examined: Int) {
        limit = min(max(0, examinedLimit - examined), 4 * limit, batchMax) + 1
    }
}

/// An answer of so many rows takes about a megabyte.
private let batchMax = 10_000
