import NephosStorage

/// Finds all records of a query by an index that has another order: their numbers first, then the records, sorted in
/// memory. Made for conditions that leave few records.
struct Gathering {
    /// Most entries that are gathered.
    static let entriesMax = 2_000
    /// What fetching and comparing a record costs, in entries of an index.
    static let recordCost = 4

    let access: Access
    /// Entries of the access.
    let count: Int
    private let others: [(access: Access, count: Int)]

    /// The cheapest of some ways, counted.
    ///
    /// - Parameters:
    ///   - countMax: Most entries it may have; nil is answered where all ways have more.
    ///   - kept: What of the budget counting leaves alone.
    init?<Source: QuerySource>(
        _ ways: [Access], zones: [ZoneNumber], countMax: Int, keeping kept: Int, _ source: inout Source,
        _ budget: inout Budget
    ) throws(StorageError) {
        var counted: [(access: Access, count: Int)] = []
        for access in ways {
            // What was counted is read, too.
            let limit = min(countMax, (budget.remaining - kept) / 2)
            guard limit > 0 else { break }
            let count = try Self.count(access, zones, limit: limit + 1, &source)
            budget.spend(count)
            if count <= limit { counted.append((access, count)) }
            if count <= 16 { break }
        }
        guard let best = counted.indices.min(by: { counted[$0].count < counted[$1].count }) else { return nil }
        (access, count) = counted.remove(at: best)
        others = counted.sorted { $0.count < $1.count }
    }

    private static func count<Source: QuerySource>(
        _ access: Access, _ zones: [ZoneNumber], limit: Int, _ source: inout Source
    ) throws(StorageError) -> Int {
        var count = 0
        for zone in zones {
            for interval in access.intervals where count < limit {
                guard let range = EntryRange(interval, index: access.index, zone: zone, after: nil) else { continue }
                count += try source.count(in: range, limit: limit - count)
            }
        }
        return count
    }

    /// The numbers of all records that can meet the conditions.
    func numbers<Source: QuerySource>(
        zones: [ZoneNumber], _ source: inout Source, _ budget: inout Budget
    ) throws(StorageError) -> Set<RecordNumber> {
        var numbers = try Set(Self.numbers(access, zones, count, &source, &budget))
        for (access, count) in others where count < numbers.count * Self.recordCost && count <= budget.remaining {
            numbers.formIntersection(try Self.numbers(access, zones, count, &source, &budget))
        }
        return numbers
    }

    private static func numbers<Source: QuerySource>(
        _ access: Access, _ zones: [ZoneNumber], _ count: Int, _ source: inout Source, _ budget: inout Budget
    ) throws(StorageError) -> [RecordNumber] {
        var entries: [IndexEntry] = []
        entries.reserveCapacity(count)
        for zone in zones {
            for interval in access.intervals where entries.count < count {
                guard let range = EntryRange(interval, index: access.index, zone: zone, after: nil) else { continue }
                try source.entries(in: range, limit: count - entries.count, into: &entries)
            }
        }
        budget.spend(entries.count)
        return entries.map(\.record)
    }

    /// Fills a page with those of some records, ascending, that pass and come behind a position.
    ///
    /// - Returns: Where the next page goes on; nil when nothing is left.
    static func fill<Source: QuerySource>(
        _ page: inout PageBuilder, _ numbers: [RecordNumber], after: QueryScan.Position?, _ query: PreparedQuery,
        _ source: inout Source
    ) throws(StorageError) -> QueryScan.Position? {
        var first = FirstRecords(after: after, for: page)
        var rest = numbers[...]
        while !rest.isEmpty {
            let batch = rest.prefix(64)
            rest = rest.dropFirst(batch.count)
            query.offer(try source.records(Array(batch)), to: &first)
        }
        return first.fill(&page, from: after)
    }
}
