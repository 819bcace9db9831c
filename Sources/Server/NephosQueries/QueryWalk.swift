import CloudKitWire
public import NephosStorage

/// Answers queries from an engine's tables (docs/decisions/0004).
public enum QueryWalk {
    /// Databases with at most this many records are read completely and sorted in memory, if they are no larger than a page may
    /// fetch at once.
    public static let smallDatabase: Int64 = 200

    /// The next page of a query; with ``QueryScan/isBrief``, ``QueryPage/givenUp`` if that takes long.
    public static func page<Source: QuerySource>(
        _ scan: QueryScan, source: inout Source
    ) throws(StorageError) -> QueryPage {
        let query = PreparedQuery(scan)
        guard !query.conditions.isImpossible else { return QueryPage() }
        let zones = try source.zones()
        guard !zones.isEmpty else { return QueryPage() }
        var budget = Budget(scan, source.abandonment)
        if let page = try atOnce(query, zones, &source, &budget) { return page }
        if budget.isOverdrawn { return .givenUp(budget.work) }
        budget.renew()
        var answer = IndexedAnswer(query, zones, ready: try source.readyIndexes(of: scan.type), budget)
        return try answer.page(&source)
    }

    /// The page of a query that needs no index, from all candidate records, sorted in memory; nil if there is no such way, or it
    /// takes more than a page may.
    private static func atOnce<Source: QuerySource>(
        _ query: PreparedQuery, _ zones: [ZoneNumber], _ source: inout Source, _ budget: inout Budget
    ) throws(StorageError) -> QueryPage? {
        if let names = query.names, names.count * zones.count <= query.scan.rowsMax {
            return try byName(names, query, zones, &source, &budget)
        }
        let size = try source.size()
        guard size.records <= smallDatabase else { return nil }
        return try whole(query, zones, bytes: size.bytes, &source, &budget)
    }

    private static func byName<Source: QuerySource>(
        _ names: [Bytes], _ query: PreparedQuery, _ zones: [ZoneNumber], _ source: inout Source,
        _ budget: inout Budget
    ) throws(StorageError) -> QueryPage? {
        var page = PageBuilder(query.scan)
        var first = FirstRecords(after: query.scan.after, for: page)
        for zone in zones {
            var rest = names.map { Name(bytes: $0) }[...]
            while !rest.isEmpty {
                if budget.isSpent { return nil }
                let fetched = try budget.fetch(rest.prefix(64)) { keys, room throws(StorageError) in
                    try source.records(named: keys, in: zone, byteLimit: room)
                }
                guard try query.offer(fetched.records, to: &first, &budget), !budget.isOverdrawn else { return nil }
                budget.spend(fetched.asked)
                rest = rest.dropFirst(fetched.asked)
            }
        }
        let next = first.fill(&page, from: query.scan.after)
        return QueryPage(records: page.records, next: next, work: budget.work)
    }

    private static func whole<Source: QuerySource>(
        _ query: PreparedQuery, _ zones: [ZoneNumber], bytes: Int64, _ source: inout Source, _ budget: inout Budget
    ) throws(StorageError) -> QueryPage? {
        guard budget.mayFetch(bytes: bytes) else { return nil }
        var page = PageBuilder(query.scan)
        var first = FirstRecords(after: query.scan.after, for: page)
        for zone in zones {
            let records = try source.records(of: query.scan.type, in: zone)
            budget.spend(records.count)
            budget.spend(records)
            guard try query.offer(records, to: &first, &budget), !budget.isOverdrawn else { return nil }
        }
        let next = first.fill(&page, from: query.scan.after)
        return QueryPage(records: page.records, next: next, work: budget.work)
    }
}

extension QueryScan {
    /// The maximum number of rows to read.
    var rowsMax: Int { isBrief ? min(examinedLimit, Self.briefRows) : examinedLimit }

    /// The maximum number of comparisons.
    var comparisonsMax: Int { isBrief ? min(comparisonsLimit, Self.briefComparisons) : comparisonsLimit }
}
