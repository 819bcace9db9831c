import NephosStorage

/// Answers a query with indexes: chooses an access path, and changes it if it turns out to be long.
struct IndexedAnswer {
    /// A condition that leaves at most this many entries is used before any walk.
    private static let fewEntries = 128
    /// When this many more records would have to be compared, and this many for each one missing in the page, other access paths
    /// are considered.
    private static let patience = (records: 256, each: 4)

    private let query: PreparedQuery
    private let zones: [ZoneNumber]
    private let ready: [IndexRow]
    private let planner: AccessPlanner
    private var page: PageBuilder
    private var budget: Budget
    private var used: [IndexNumber] = []
    /// The scan is brief, and this path is long.
    private var isGivenUp = false

    init(_ query: PreparedQuery, _ zones: [ZoneNumber], ready: [IndexRow], _ budget: Budget) {
        self.query = query
        self.zones = zones
        self.ready = ready
        planner = AccessPlanner(conditions: query.conditions.list, orders: query.orders, zones: zones.count)
        page = PageBuilder(query.scan)
        self.budget = budget
    }

    mutating func page<Source: QuerySource>(_ source: inout Source) throws(StorageError) -> QueryPage {
        let wanted = IdealShapes(type: query.scan.type, planner: planner).wanted(ready: ready)
        let walk = bestWalk()
        let ways = ways(besides: walk)
        let countMax = walk == nil ? Gathering.entriesMax : Self.fewEntries
        var next: QueryScan.Position?
        let kept = walk == nil ? 0 : budget.remaining / 2
        if let few = try Gathering(ways, zones: zones, countMax: countMax, keeping: kept, &source, &budget) {
            switch try gather(few, after: query.scan.after, &source) {
            case .filled(let position): next = position
            case .spent where query.scan.isBrief: isGivenUp = true
            case .spent:
                // Gathered records are not a page before all are compared; a walk continues where it ended.
                budget.renew()
                if let walk {
                    next = try follow(walk, [], &source)
                } else if wanted.contains(where: { !$0.orderParts.isEmpty }) {
                    return QueryPage(work: budget.work, wanted: wanted, isAnswered: false)
                } else {
                    budget.goToTheEnd()
                    if case .filled(let last) = try gather(few, after: query.scan.after, &source) { next = last }
                }
            }
        } else if let walk {
            next = try follow(walk, ways, &source)
        } else {
            // With a larger budget there might have been a path.
            return query.scan.isBrief
                ? .givenUp(budget.work) : QueryPage(work: budget.work, wanted: wanted, isAnswered: false)
        }
        if isGivenUp || budget.isOverdrawn { return .givenUp(budget.work) }
        return QueryPage(records: page.records, next: next, work: budget.work, used: used, wanted: wanted)
    }

    /// The walk with the most fixed parts; of those, the one that leaves the least to compare.
    private func bestWalk() -> Access? {
        ready.compactMap { planner.ordered($0) }.max {
            ($0.fixedCount, $0.covered.count, $1.index) < ($1.fixedCount, $1.covered.count, $0.index)
        }
    }

    /// Gatherings that use a condition that the walk leaves to be compared.
    private func ways(besides walk: Access?) -> [Access] {
        guard let walk else { return planner.unordered(ready) }
        if walk.covered.count == query.conditions.list.count { return [] }
        return planner.unordered(ready).filter { $0.narrowing.contains { !walk.covered.contains($0) } }
    }

    private mutating func gather<Source: QuerySource>(
        _ gathering: Gathering, after: QueryScan.Position?, _ source: inout Source
    ) throws(StorageError) -> Gathering.Filling {
        if used.last != gathering.access.index { used.append(gathering.access.index) }
        let numbers = try gathering.numbers(zones: zones, &source, &budget).sorted()
        return try Gathering.fill(&page, numbers, after: after, query, &source, &budget)
    }

    private mutating func follow<Source: QuerySource>(
        _ access: Access, _ ways: [Access], _ source: inout Source
    ) throws(StorageError) -> QueryScan.Position? {
        used.append(access.index)
        if query.orders.contains(where: { $0.origin != nil }) {
            guard
                let rings = RingStream(
                    access, zones: zones, orders: query.orders, conditions: query.conditions.list,
                    after: query.scan.after)
            else { return nil }
            return try follow(OrderedWalk(query, rings, covered: access.covered), ways, &source)
        }
        let merge = MergeStream(
            access, zones: zones, after: query.scan.after, want: page.limit + 1, budget: budget)
        return try follow(OrderedWalk(query, merge, covered: access.covered), ways, &source)
    }

    private mutating func follow<Source: QuerySource, Stream: CandidateStream>(
        _ start: OrderedWalk<Stream>, _ ways: [Access], _ source: inout Source
    ) throws(StorageError) -> QueryScan.Position? {
        var walk = start
        let patience = max(Self.patience.records, Self.patience.each * page.missing)
        let ending = try walk.fill(&page, patience: patience, &source, &budget)
        // Other paths take more than what is left of a brief scan.
        isGivenUp = query.scan.isBrief && (ending == .spent || ending == .stalled && !ways.isEmpty)
        guard ending == .stalled, !isGivenUp else { return ending == .end ? nil : walk.position }
        let gathering = try Gathering(
            ways, zones: zones, countMax: Gathering.entriesMax, keeping: budget.remaining / 2, &source, &budget)
        guard let gathering else { return try finish(&walk, patience: .max, &source) }
        let cost = cost(of: gathering)
        if walk.rest(page) > cost {
            return position(of: try gather(gathering, after: walk.position, &source), behind: walk.position)
        }
        // Records pass often enough: the walk continues, and fetches only records that the other index also has.
        used.append(gathering.access.index)
        let numbers = try gathering.numbers(zones: zones, &source, &budget)
        walk.allowed = numbers
        return try finish(&walk, patience: cost, else: numbers, &source)
    }

    /// Walks on to the end of the page, or gathers `others` once that turns out to be shorter.
    private mutating func finish<Source: QuerySource, Stream: CandidateStream>(
        _ walk: inout OrderedWalk<Stream>, patience: Int, else others: Set<RecordNumber> = [], _ source: inout Source
    ) throws(StorageError) -> QueryScan.Position? {
        switch try walk.fill(&page, patience: patience, &source, &budget) {
        case .end: return nil
        case .more: return walk.position
        case .spent:
            isGivenUp = query.scan.isBrief
            return walk.position
        case .stalled:
            let filling = try Gathering.fill(&page, others.sorted(), after: walk.position, query, &source, &budget)
            return position(of: filling, behind: walk.position)
        }
    }

    /// Where a page continues that was walked up to `walked`, and then gathered as far as the budget allowed.
    private mutating func position(
        of filling: Gathering.Filling, behind walked: QueryScan.Position?
    ) -> QueryScan.Position? {
        switch filling {
        case .filled(let position): return position
        case .spent:
            isGivenUp = query.scan.isBrief
            return walked
        }
    }

    /// The cost of gathering, in index entries; at most what a walk may examine.
    private func cost(of gathering: Gathering) -> Int {
        min(gathering.count * Gathering.recordCost, budget.remaining - gathering.count)
    }
}
