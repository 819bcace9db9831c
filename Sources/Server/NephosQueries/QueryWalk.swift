import CloudKitWire
public import NephosStorage

/// Answers queries from what an engine lends (docs/decisions/0004).
public enum QueryWalk {
    /// Databases with at most so many records are read as a whole and sorted in memory.
    public static let smallDatabase: Int64 = 200

    /// The next page of a query; with ``QueryScan/isBrief``, ``QueryPage/givenUp`` where that takes long.
    public static func page<Source: QuerySource>(
        _ scan: QueryScan, source: inout Source
    ) throws(StorageError) -> QueryPage {
        let query = PreparedQuery(scan)
        guard !query.conditions.isImpossible else { return QueryPage() }
        let zones = try source.zones()
        guard !zones.isEmpty else { return QueryPage() }
        if let names = query.names, names.count * zones.count <= scan.rowsMax {
            return try byName(names, query, zones, &source)
        }
        let size = try source.size()
        if size.records <= smallDatabase {
            if scan.isBrief, size.bytes > Budget.briefBytes { return .givenUp }
            return try whole(query, zones, &source)
        }
        var answer = IndexedAnswer(query, zones, ready: try source.readyIndexes(of: scan.type))
        return try answer.page(&source)
    }

    private static func byName<Source: QuerySource>(
        _ names: [Bytes], _ query: PreparedQuery, _ zones: [ZoneNumber], _ source: inout Source
    ) throws(StorageError) -> QueryPage {
        var page = PageBuilder(query.scan)
        var first = FirstRecords(after: query.scan.after, for: page)
        var budget = Budget(query.scan)
        for zone in zones {
            var rest = names[...]
            while !rest.isEmpty {
                let batch = rest.prefix(budget.batch(64))
                rest = rest.dropFirst(batch.count)
                let records = try source.records(named: batch.map { Name(bytes: $0) }, in: zone)
                budget.spend(records)
                if budget.isOverdrawn { return .givenUp }
                query.offer(records, to: &first)
            }
        }
        let next = first.fill(&page, from: query.scan.after)
        return QueryPage(records: page.records, next: next, examined: names.count * zones.count)
    }

    private static func whole<Source: QuerySource>(
        _ query: PreparedQuery, _ zones: [ZoneNumber], _ source: inout Source
    ) throws(StorageError) -> QueryPage {
        var page = PageBuilder(query.scan)
        var first = FirstRecords(after: query.scan.after, for: page)
        var examined = 0
        for zone in zones {
            let records = try source.records(of: query.scan.type, in: zone)
            examined += records.count
            query.offer(records, to: &first)
        }
        let next = first.fill(&page, from: query.scan.after)
        return QueryPage(records: page.records, next: next, examined: examined)
    }
}

extension QueryScan {
    /// Most rows to look at.
    var rowsMax: Int { isBrief ? min(examinedLimit, Self.briefRows) : examinedLimit }
}
