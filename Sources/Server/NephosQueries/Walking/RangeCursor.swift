import NephosStorage

/// Reads a range of an index in growing batches.
struct RangeCursor {
    private static let batchMax = 512

    private(set) var range: EntryRange
    private let offset: Int
    private let isExact: Bool
    private var buffer: [IndexEntry] = []
    private var head = 0
    private var batch: Int
    private var isExhausted = false
    private(set) var current: Candidate?

    init(_ range: EntryRange, offset: Int, isExact: Bool, batch: Int) {
        self.range = range
        self.offset = offset
        self.isExact = isExact
        self.batch = max(1, batch)
    }

    /// Advances to the next entry; `current` is nil after the last.
    ///
    /// - Returns: False if the budget is exhausted.
    mutating func advance<Source: QuerySource>(
        _ source: inout Source, _ budget: inout Budget
    ) throws(StorageError) -> Bool {
        if head == buffer.count {
            guard try fill(&source, &budget) else { return false }
        }
        guard head < buffer.count else {
            current = nil
            return true
        }
        let entry = buffer[head]
        head += 1
        current = Candidate(
            position: .init(key: entry.key.dropFirst(offset), zone: range.zone, record: entry.record),
            isExact: isExact)
        return true
    }

    private mutating func fill<Source: QuerySource>(
        _ source: inout Source, _ budget: inout Budget
    ) throws(StorageError) -> Bool {
        if isExhausted { return true }
        let limit = budget.allowance(batch)
        guard limit > 0 else { return false }
        buffer.removeAll(keepingCapacity: true)
        head = 0
        try source.entries(in: range, limit: limit, into: &buffer)
        budget.spend(buffer.count)
        isExhausted = buffer.count < limit
        batch = min(Self.batchMax, batch * 2)
        if let last = buffer.last {
            range.lower = last.key
            range.afterRecord = last.record
        }
        return true
    }
}
