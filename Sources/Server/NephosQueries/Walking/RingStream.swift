import NephosStorage

/// Walks by distance: group by group of the keys that precede the distance, and by rings inside each group.
struct RingStream: CandidateStream {
    private let sources: [RingSource]
    /// The keys that precede the distance.
    private let leading: ArraySlice<QueryOrder>
    private let search: RingSearch.Settings
    /// Where the page continues, until its group has been walked.
    private var after: QueryScan.Position?
    /// Where the next group is searched; nil if there are no more.
    private var nextGroup: Bytes?
    private var rings: RingSearch?
    private var last: QueryScan.Position?

    /// - Returns: nil if the position is not valid for this order.
    init?(
        _ access: Access, zones: [ZoneNumber], orders: [QueryOrder], conditions: [PreparedCondition],
        after: QueryScan.Position?
    ) {
        guard let place = orders.firstIndex(where: { $0.origin != nil }), let origin = orders[place].nearest else {
            return nil
        }
        sources = zones.flatMap { zone in
            access.intervals.map {
                RingSource(
                    index: access.index, zone: zone, prefix: Array($0.lower[..<$0.offset]), isExact: $0.isExact)
            }
        }
        leading = orders[..<place]
        search = RingSearch.Settings(origin: origin, field: orders[place].field, conditions)
        self.after = after
        nextGroup = []
        if let after {
            guard let length = after.key.length(of: leading), after.key.length(of: orders[...]) == after.key.count
            else {
                return nil
            }
            nextGroup = after.key.prefix(length)
        }
    }

    mutating func next<Source: QuerySource>(
        _ source: inout Source, _ budget: inout Budget
    ) throws(StorageError) -> CandidateStep {
        while true {
            if rings == nil {
                guard budget.allowance(1) > 0 else { return .spent }
                guard try findGroup(&source, &budget) else { return budget.isOverdrawn ? .spent : .end }
            }
            switch try rings?.next(sources, &source, &budget) ?? .end {
            case .end: rings = nil
            case .spent: return .spent
            case .candidate(let candidate):
                if candidate.position == last { continue }
                last = candidate.position
                return .candidate(candidate)
            }
        }
    }

    private mutating func findGroup<Source: QuerySource>(
        _ source: inout Source, _ budget: inout Budget
    ) throws(StorageError) -> Bool {
        guard let lower = nextGroup else { return false }
        var group: Bytes?
        if leading.isEmpty {
            group = lower
        } else {
            for entry in sources where !budget.isOverdrawn {
                guard let found = try entry.firstGroup(from: lower, orders: leading, &source, &budget) else { continue }
                if group.map({ compareKeys(found, $0) < 0 }) ?? true { group = found }
            }
        }
        guard let group else { return false }
        nextGroup = leading.isEmpty ? nil : Array(group).successor.map { $0[...] }
        let isResumed = after.map { $0.key.starts(with: group) } ?? false
        rings = RingSearch(group, sources, search, after: isResumed ? after : nil)
        after = nil
        return true
    }
}
