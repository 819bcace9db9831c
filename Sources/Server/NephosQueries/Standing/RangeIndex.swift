import NephosStorage

/// Ranges of values, each with a number, for finding the ranges that contain a value.
///
/// A balanced tree in an array sorted by the lower ends of the ranges; each node has the farthest upper end below it. It is
/// sorted again at the first look-up after a change.
struct RangeIndex: Sendable {
    private struct Entry {
        var number: Int
        var lower: QueryCondition.Bound?
        var upper: QueryCondition.Bound?
    }

    private var entries: [Int: Entry] = [:]
    /// By lower end; ranges without one are first.
    private var sorted: [Entry] = []
    /// The farthest upper end of the subtree around each index of `sorted`; nil for a range without an end.
    private var reach: [QueryCondition.Bound?] = []
    private var isSorted = true

    var isEmpty: Bool { entries.isEmpty }

    mutating func insert(_ number: Int, _ lower: QueryCondition.Bound?, _ upper: QueryCondition.Bound?) {
        entries[number] = Entry(number: number, lower: lower, upper: upper)
        isSorted = false
    }

    mutating func remove(_ number: Int) {
        if entries.removeValue(forKey: number) != nil { isSorted = false }
    }

    /// Calls `body` with every range that contains the value, and possibly with some that exclude it as their end.
    mutating func forEach(around value: QueryValue, _ body: (Int) -> Void) {
        if !isSorted { sort() }
        visit(0..<sorted.count, value, body)
    }

    private func visit(_ range: Range<Int>, _ value: QueryValue, _ body: (Int) -> Void) {
        guard !range.isEmpty else { return }
        let middle = range.lowerBound + range.count / 2
        // Every range below ends before the value.
        if let end = reach[middle], (end.value.compare(value) ?? -1) < 0 { return }
        visit(range.lowerBound..<middle, value, body)
        let entry = sorted[middle]
        // This range and all to its right begin after the value.
        if let lower = entry.lower, (lower.value.compare(value) ?? 1) > 0 { return }
        if entry.upper.map({ ($0.value.compare(value) ?? -1) >= 0 }) ?? true { body(entry.number) }
        visit(middle + 1..<range.upperBound, value, body)
    }

    private mutating func sort() {
        sorted = entries.values.sorted { first, second in
            guard let end = second.lower else { return false }
            guard let start = first.lower else { return true }
            return (start.value.compare(end.value) ?? 0) < 0
        }
        reach = Array(repeating: nil, count: sorted.count)
        if !sorted.isEmpty { _ = measure(0..<sorted.count) }
        isSorted = true
    }

    /// Computes the farthest upper end of a subtree. - Returns: That end; nil if a range has no end.
    private mutating func measure(_ range: Range<Int>) -> QueryCondition.Bound? {
        let middle = range.lowerBound + range.count / 2
        var farthest = sorted[middle].upper
        for half in [range.lowerBound..<middle, middle + 1..<range.upperBound] where !half.isEmpty {
            let end = measure(half)
            guard let known = farthest, let end else {
                farthest = nil
                continue
            }
            if (end.value.compare(known.value) ?? 0) > 0 { farthest = end }
        }
        reach[middle] = farthest
        return farthest
    }
}
