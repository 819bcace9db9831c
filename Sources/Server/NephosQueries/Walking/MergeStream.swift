import NephosStorage

/// Merges ranges of one index in the order of their order keys.
struct MergeStream: CandidateStream {
    /// Those that have a candidate form a heap, with the first candidate on top.
    private var cursors: [RangeCursor]
    private var isStarted = false
    private var last: QueryScan.Position?

    /// - Parameter want: How many candidates the page needs at least.
    init(_ access: Access, zones: [ZoneNumber], after: QueryScan.Position?, want: Int, budget: Budget) {
        let count = zones.count * access.intervals.count
        let exact = zones.count * access.intervals.count(where: \.isExact)
        // A single range is read as far as the page goes; of many, each provides its share plus one. Records with too many words
        // have few entries.
        let sharing = exact == 0 ? count : exact
        let share = sharing == 1 ? want : (want + sharing - 1) / sharing + 1
        let most = max(1, budget.remaining / max(1, count))
        cursors = []
        cursors.reserveCapacity(count)
        for zone in zones {
            for interval in access.intervals {
                guard let range = EntryRange(interval, index: access.index, zone: zone, after: after) else { continue }
                let batch = min(interval.isExact || exact == 0 ? share : 4, most)
                cursors.append(
                    RangeCursor(range, offset: interval.offset, isExact: interval.isExact, batch: batch))
            }
        }
    }

    mutating func next<Source: QuerySource>(
        _ source: inout Source, _ budget: inout Budget
    ) throws(StorageError) -> CandidateStep {
        while true {
            guard isStarted ? try step(&source, &budget) : try start(&source, &budget) else { return .spent }
            guard let candidate = cursors.first?.current else { return .end }
            // The same record for another value of a condition that allows several.
            if candidate.position == last { continue }
            if cursors.count > 1 { last = candidate.position }
            return .candidate(candidate)
        }
    }

    private mutating func start<Source: QuerySource>(
        _ source: inout Source, _ budget: inout Budget
    ) throws(StorageError) -> Bool {
        isStarted = true
        for index in cursors.indices {
            guard try cursors[index].advance(&source, &budget) else { return false }
        }
        cursors.removeAll { $0.current == nil }
        for index in cursors.indices.reversed() { sink(index) }
        return true
    }

    /// Advances past the candidate on top.
    private mutating func step<Source: QuerySource>(
        _ source: inout Source, _ budget: inout Budget
    ) throws(StorageError) -> Bool {
        guard !cursors.isEmpty else { return true }
        guard try cursors[0].advance(&source, &budget) else { return false }
        if cursors[0].current == nil {
            cursors.swapAt(0, cursors.count - 1)
            cursors.removeLast()
        }
        sink(0)
        return true
    }

    private mutating func sink(_ start: Int) {
        var index = start
        while true {
            var first = index
            for child in [2 * index + 1, 2 * index + 2] where child < cursors.count && precedes(child, first) {
                first = child
            }
            if first == index { return }
            cursors.swapAt(index, first)
            index = first
        }
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        guard let left = cursors[left].current, let right = cursors[right].current else { return false }
        return left.position < right.position
    }
}
