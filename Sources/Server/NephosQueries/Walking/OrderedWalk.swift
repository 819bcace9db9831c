import NephosStorage

/// Fills a page from candidates that come in the order of the query.
struct OrderedWalk<Stream: CandidateStream> {
    enum Ending {
        /// The page is full, or the budget used up: go on behind `position`.
        case more
        /// Nothing follows.
        case end
        /// Many records were compared and few passed.
        case stalled
    }

    private let query: PreparedQuery
    private var stream: Stream
    /// What must be compared even where the index is exact.
    private let residual: [PreparedCondition]
    /// The last candidate that was looked at.
    private(set) var position: QueryScan.Position?
    /// The last candidate that came out of the stream.
    private var pulled: QueryScan.Position?
    /// Records looked at, and those that passed.
    private(set) var compared = 0
    private(set) var passed = 0
    /// Only these can pass, as another index knows.
    var allowed: Set<RecordNumber>?

    init(_ query: PreparedQuery, _ stream: Stream, covered: [Int]) {
        self.query = query
        self.stream = stream
        position = query.scan.after
        residual = query.conditions.list.indices.filter { !covered.contains($0) }.map { query.conditions.list[$0] }
    }

    /// - Parameter patience: How many records to compare before the walk counts as stalled.
    mutating func fill<Source: QuerySource>(
        _ page: inout PageBuilder, patience: Int, _ source: inout Source, _ budget: inout Budget
    ) throws(StorageError) -> Ending {
        while true {
            let want = page.batch(residual.isEmpty ? page.missing : max(page.missing, 32))
            let (batch, ending) = try pull(want, &source, &budget)
            if let ending = try take(batch, &page, &source, &budget, isLast: ending == .end) { return ending }
            position = pulled ?? position
            if let ending { return ending }
            if compared >= patience { return .stalled }
        }
    }

    /// The next candidates, and the ending when there are fewer than wanted.
    private mutating func pull<Source: QuerySource>(
        _ want: Int, _ source: inout Source, _ budget: inout Budget
    ) throws(StorageError) -> ([Candidate], Ending?) {
        var batch: [Candidate] = []
        batch.reserveCapacity(want)
        while batch.count < want {
            switch try stream.next(&source, &budget) {
            case .end: return (batch, .end)
            case .spent: return (batch, .more)
            case .candidate(let candidate):
                budget.hasProgress = true
                if allowed?.contains(candidate.position.record) ?? true {
                    batch.append(candidate)
                }
                pulled = candidate.position
            }
        }
        return (batch, nil)
    }

    /// Compares a batch with the records; an ending when the page is full.
    private mutating func take<Source: QuerySource>(
        _ batch: [Candidate], _ page: inout PageBuilder, _ source: inout Source, _ budget: inout Budget, isLast: Bool
    ) throws(StorageError) -> Ending? {
        if batch.isEmpty { return nil }
        let records = try source.records(batch.map(\.position.record))
        var next = 0
        for (index, candidate) in batch.enumerated() {
            // Records come in the order of their numbers here; one that is gone is left out.
            if next < records.count, records[next].number == candidate.position.record {
                let record = records[next]
                next += 1
                compared += 1
                if passes(record, candidate) {
                    passed += 1
                    guard page.append(record) else { return .more }
                }
            }
            position = candidate.position
            if page.missing == 0 {
                if index + 1 < batch.count { return .more }
                if isLast { return .end }
                return try isAtEnd(&source, &budget) ? .end : .more
            }
        }
        return nil
    }

    private func passes(_ record: RecordRow, _ candidate: Candidate) -> Bool {
        guard record.type == query.scan.type else { return false }
        if candidate.isExact, residual.isEmpty { return true }
        let values = RecordValues(record, query.selection)
        return candidate.isExact ? residual.allSatisfy { $0.matches(values) } : query.conditions.matches(values)
    }

    private mutating func isAtEnd<Source: QuerySource>(
        _ source: inout Source, _ budget: inout Budget
    ) throws(StorageError) -> Bool {
        // Where records are compared, the next that passes may be far away.
        guard residual.isEmpty, case .end = try stream.next(&source, &budget) else { return false }
        return true
    }
}
