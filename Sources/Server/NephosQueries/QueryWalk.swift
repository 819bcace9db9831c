import CloudKitWire
public import NephosStorage

/// Answers queries from what an engine lends (docs/decisions/0004).
public enum QueryWalk {
    /// Databases with at most so many records are read as a whole and sorted in memory.
    public static let smallDatabase: Int64 = 200

    /// The next page of a query.
    public static func page<Source: QuerySource>(
        _ scan: QueryScan, source: inout Source
    ) throws(StorageError) -> QueryPage {
        let query = PreparedQuery(scan)
        guard !query.conditions.isImpossible else { return QueryPage() }
        let zones = try source.zones()
        guard !zones.isEmpty else { return QueryPage() }
        if let names = query.names, names.count * zones.count <= scan.examinedLimit {
            return try byName(names, query, zones, &source)
        }
        if try source.recordCount() <= smallDatabase {
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
        for zone in zones {
            var rest = names[...]
            while !rest.isEmpty {
                let batch = rest.prefix(64)
                rest = rest.dropFirst(batch.count)
                query.offer(try source.records(named: batch.map { Name(bytes: $0) }, in: zone), to: &first)
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
