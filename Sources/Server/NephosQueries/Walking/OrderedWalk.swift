import NephosStorage

/// Fills a page from candidates that arrive in the order of the query.
struct OrderedWalk<Stream: CandidateStream> {
    enum Ending {
        /// The page is full: continue after `position`.
        case more
        /// The budget is exhausted: continue after `position`.
        case spent
        /// Nothing follows.
        case end
        /// The rest of the page seems to be farther away than `patience` allows.
        case stalled
    }

    private let query: PreparedQuery
    private var stream: Stream
    /// The conditions to compare even if the index is exact.
    private let residual: [PreparedCondition]
    /// The last candidate that was processed.
    private(set) var position: QueryScan.Position?
    /// The last candidate taken from the stream.
    private var pulled: QueryScan.Position?
    /// The number of candidates taken from the stream, and of records that matched.
    private var walked = 0
    private var passed = 0
    /// Only these can match, according to another index. Others are not fetched.
    var allowed: Set<RecordNumber>?

    init(_ query: PreparedQuery, _ stream: Stream, covered: [Int]) {
        self.query = query
        self.stream = stream
        position = query.scan.after
        residual = query.conditions.list.indices.filter { !covered.contains($0) }.map { query.conditions.list[$0] }
    }

    /// How many candidates it probably takes to find `missing` more records, estimated from those so far.
    ///
    /// - Parameter found: The number that matched so far. One more is counted, so that bad luck at the beginning is not decisive.
    func rest(missing: Int, found: Int) -> Int { missing * (walked + 2) / (found + 1) }

    /// The same for the records missing in a page.
    func rest(_ page: PageBuilder) -> Int { rest(missing: page.missing, found: passed) }

    /// - Parameter patience: If more candidates than this seem to be needed, the walk counts as stalled.
    mutating func fill<Source: QuerySource>(
        _ page: inout PageBuilder, patience: Int, _ source: inout Source, _ budget: inout Budget
    ) throws(StorageError) -> Ending {
        while true {
            let want = page.batch(residual.isEmpty ? page.missing : max(page.missing, 32))
            let (batch, ending) = try pull(want, for: page.missing, patience: patience, &source, &budget)
            if let ending = try take(batch, &page, &source, &budget, isLast: ending == .end) { return ending }
            position = pulled ?? position
            if let ending { return ending }
            if budget.isOverdrawn { return .spent }
            if walked >= sampleMin, rest(page) > patience { return .stalled }
        }
    }

    /// The next candidates, and the ending if there are fewer than wanted.
    private mutating func pull<Source: QuerySource>(
        _ want: Int, for missing: Int, patience: Int, _ source: inout Source, _ budget: inout Budget
    ) throws(StorageError) -> ([Candidate], Ending?) {
        var batch: [Candidate] = []
        batch.reserveCapacity(want)
        var untilCheck = checkInterval
        while batch.count < want {
            switch try stream.next(&source, &budget) {
            case .end: return (batch, .end)
            case .spent: return (batch, .spent)
            case .candidate(let candidate):
                budget.hasProgress = true
                walked += 1
                untilCheck -= 1
                if allowed?.contains(candidate.position.record) ?? true {
                    batch.append(candidate)
                }
                pulled = candidate.position
            }
            if untilCheck == 0 {
                untilCheck = checkInterval
                let isFar = rest(missing: max(0, missing - batch.count), found: passed + batch.count) > patience
                if isFar { return (batch, .stalled) }
            }
        }
        return (batch, nil)
    }

    /// Compares a batch with the records; returns an ending if the page is full, or the budget exhausted.
    private mutating func take<Source: QuerySource>(
        _ batch: [Candidate], _ page: inout PageBuilder, _ source: inout Source, _ budget: inout Budget, isLast: Bool
    ) throws(StorageError) -> Ending? {
        var numbers = batch.map(\.position.record)[...]
        while !numbers.isEmpty {
            let fetched = try budget.fetch(numbers) { keys, room throws(StorageError) in
                try source.records(keys, byteLimit: room)
            }
            if budget.isOverdrawn { return .spent }
            let range = numbers.startIndex..<(numbers.startIndex + fetched.asked)
            numbers = numbers[range.upperBound...]
            let isWhole = isLast && numbers.isEmpty
            let ending = try take(batch, range, fetched.records, &page, &source, &budget, isLast: isWhole)
            if let ending { return ending }
            if budget.isSpent, !isWhole { return .spent }
        }
        return nil
    }

    /// Compares a part of a batch.
    private mutating func take<Source: QuerySource>(
        _ batch: [Candidate], _ range: Range<Int>, _ records: [RecordRow], _ page: inout PageBuilder,
        _ source: inout Source, _ budget: inout Budget, isLast: Bool
    ) throws(StorageError) -> Ending? {
        var next = 0
        for index in range {
            let candidate = batch[index]
            // Records are in the order of their numbers here; deleted ones are left out.
            if next < records.count, records[next].number == candidate.position.record {
                let record = records[next]
                next += 1
                guard let passes = try compare(record, candidate, &budget) else { return .spent }
                if passes {
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

    /// Whether a record matches; nil if the budget ended before that was known.
    private func compare(
        _ record: RecordRow, _ candidate: Candidate, _ budget: inout Budget
    ) throws(StorageError) -> Bool? {
        guard record.type == query.scan.type else { return false }
        if candidate.isExact, residual.isEmpty { return true }
        if budget.isTooLong(record, query) { return nil }
        let values = RecordValues(record, query.selection)
        let conditions = candidate.isExact ? residual : query.conditions.list
        // The first of a page is compared completely.
        if position == query.scan.after, !query.scan.isBrief {
            return try budget.withoutLimit { budget throws(StorageError) in
                let isMet = conditions.areMet(by: values, &budget.meter)
                return try budget.goesOn() ? isMet : nil
            }
        }
        let isMet = conditions.areMet(by: values, &budget.meter)
        return try budget.goesOn() ? isMet : nil
    }

    private mutating func isAtEnd<Source: QuerySource>(
        _ source: inout Source, _ budget: inout Budget
    ) throws(StorageError) -> Bool {
        // If records are compared, the next match may be far away.
        guard residual.isEmpty, case .end = try stream.next(&source, &budget) else { return false }
        return true
    }
}

/// Fewer candidates are not representative.
private let sampleMin = 32
/// After this many candidates a walk checks its progress, even if few of them were allowed.
private let checkInterval = 256
