import NephosStorage

/// Finds all records of a query with an index that has another order: their numbers first, then the records, sorted in memory.
/// For conditions that leave few records.
struct Gathering {
    /// The maximum number of entries that are gathered.
    static let entriesMax = 2_000
    /// The cost of fetching and comparing a record, in index entries.
    static let recordCost = 4

    let access: Access
    /// The number of entries of the access path, or of the records that they leave if they were read.
    let count: Int
    private let others: [(access: Access, count: Int)]
    /// If there was no choice: the records of the entries.
    private let known: [RecordNumber]?

    /// The cheapest of some access paths. They are counted; a single one is read immediately.
    ///
    /// - Parameters:
    ///   - countMax: The maximum number of entries; returns nil if all paths have more.
    ///   - kept: The part of the budget that counting must not use.
    init?<Source: QuerySource>(
        _ ways: [Access], zones: [ZoneNumber], countMax: Int, keeping kept: Int, _ source: inout Source,
        _ budget: inout Budget
    ) throws(StorageError) {
        if let access = ways.first, ways.count == 1 {
            // One more is read, to see whether there are more.
            let limit = min(countMax, budget.remaining - kept - 1)
            guard limit > 0 else { return nil }
            let found = try Self.read(access, zones, limit: limit + 1, &source, &budget)
            guard found.examined <= limit else { return nil }
            (self.access, count, known, others) = (access, found.numbers.count, found.numbers, [])
            return
        }
        known = nil
        var counted: [(access: Access, count: Int)] = []
        for access in ways {
            // Counting also reads: at most as many entries as the best path so far has.
            let room = budget.remaining - kept - 1
            let limit = min(countMax, counted.map(\.count).min().map { room - $0 } ?? room / 2)
            guard limit > 0 else { break }
            let count = try Self.count(access, zones, limit: limit + 1, &source, &budget)
            if count <= limit { counted.append((access, count)) }
            if count <= 16 { break }
        }
        guard let best = counted.indices.min(by: { counted[$0].count < counted[$1].count }) else { return nil }
        (access, count) = counted.remove(at: best)
        others = counted.sorted { $0.count < $1.count }
    }

    private static func count<Source: QuerySource>(
        _ access: Access, _ zones: [ZoneNumber], limit: Int, _ source: inout Source, _ budget: inout Budget
    ) throws(StorageError) -> Int {
        var count = 0
        for zone in zones {
            for interval in access.intervals where count < limit && !budget.isOverdrawn {
                guard let range = EntryRange(interval, index: access.index, zone: zone, after: nil) else { continue }
                let found = try source.count(in: range, limit: limit - count)
                budget.spend(found)
                count += found
            }
        }
        return count
    }

    /// The numbers of all records that can match the conditions.
    func numbers<Source: QuerySource>(
        zones: [ZoneNumber], _ source: inout Source, _ budget: inout Budget
    ) throws(StorageError) -> Set<RecordNumber> {
        if let known { return Set(known) }
        var numbers = try Set(Self.read(access, zones, limit: count, &source, &budget).numbers)
        for (access, count) in others where count < numbers.count * Self.recordCost && count <= budget.remaining {
            numbers.formIntersection(try Self.read(access, zones, limit: count, &source, &budget).numbers)
        }
        return numbers
    }

    /// The records of the first entries, without those whose keys show that they cannot match.
    private static func read<Source: QuerySource>(
        _ access: Access, _ zones: [ZoneNumber], limit: Int, _ source: inout Source, _ budget: inout Budget
    ) throws(StorageError) -> (numbers: [RecordNumber], examined: Int) {
        var numbers: [RecordNumber] = []
        var entries: [IndexEntry] = []
        var examined = 0
        for zone in zones {
            for interval in access.intervals where examined < limit && !budget.isOverdrawn {
                guard let range = EntryRange(interval, index: access.index, zone: zone, after: nil) else { continue }
                entries.removeAll(keepingCapacity: true)
                try source.entries(in: range, limit: limit - examined, into: &entries)
                budget.spend(entries.count)
                examined += entries.count
                for entry in entries where access.mayPass(entry, in: interval) { numbers.append(entry.record) }
            }
        }
        return (numbers, examined)
    }

    /// The result of filling a page.
    enum Filling {
        /// The next page continues here; nil if nothing is left.
        case filled(QueryScan.Position?)
        /// The budget ended before all were compared, so it is not known which are first. The page is unchanged.
        case spent
    }

    /// Fills a page with those of the given records, ascending, that match and follow a position.
    static func fill<Source: QuerySource>(
        _ page: inout PageBuilder, _ numbers: [RecordNumber], after: QueryScan.Position?, _ query: PreparedQuery,
        _ source: inout Source, _ budget: inout Budget
    ) throws(StorageError) -> Filling {
        var first = FirstRecords(after: after, for: page)
        var rest = numbers[...]
        while !rest.isEmpty {
            if budget.isSpent { return .spent }
            let fetched = try budget.fetch(rest.prefix(64)) { keys, room throws(StorageError) in
                try source.records(keys, byteLimit: room)
            }
            guard try query.offer(fetched.records, to: &first, &budget), !budget.isOverdrawn else { return .spent }
            rest = rest.dropFirst(fetched.asked)
        }
        return .filled(first.fill(&page, from: after))
    }
}
