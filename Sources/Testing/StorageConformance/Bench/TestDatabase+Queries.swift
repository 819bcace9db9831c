import CloudKitWire
import NephosStorage

extension TestDatabase {
    // MARK: Indexes

    func indexes() throws -> [IndexRow] {
        var set = ReadSet()
        set.ask(IndexRow.all(of: number))
        return try store.read(set).indexes(of: number)
    }

    /// Indexes that are not dropped.
    func maintainedIndexes() throws -> [IndexRow] { try indexes().filter { $0.state != .dropped } }

    func index(_ shape: IndexShape) throws -> IndexRow? { try maintainedIndexes().first { $0.shape == shape } }

    func open(_ shapes: [IndexShape], at now: Milliseconds = 1) async throws {
        try await store.openIndexes(shapes, in: number, at: now)
    }

    /// Builds until nothing is left to do in this database, some rows at a time.
    func buildAll(rows: Int = 50) async throws {
        for _ in 0..<100_000 { guard try await store.buildIndexes(in: number, rows: rows) else { return } }
        throw PromiseBroken("building in chunks does not end", file: #fileID, line: #line)
    }

    // MARK: Queries

    func query(_ scan: QueryScan) throws -> QueryPage {
        var set = ReadSet()
        set.queries = [scan]
        return try store.read(set).queries[0]
    }

    /// The page, after building the indexes that the query requires.
    func answeredQuery(_ scan: QueryScan, at now: Milliseconds = 1) async throws -> QueryPage {
        let page = try query(scan)
        if page.isAnswered { return page }
        try expect(!page.wanted.isEmpty, "a query has no result and requests no index")
        try await open(page.wanted, at: now)
        try await buildAll()
        let answered = try query(scan)
        try expect(answered.isAnswered, "a query has no result although the indexes it requested exist")
        return answered
    }

    /// All results of a query, page by page.
    ///
    /// - Parameter between: Called between two pages.
    func queryAll(_ scan: QueryScan, between: () async throws -> Void = {}) async throws -> [RecordRow] {
        var (scan, rows): (QueryScan, [RecordRow]) = (scan, [])
        for _ in 0..<10_000 {
            let page = try await answeredQuery(scan)
            try expect(
                page.records.count <= scan.limit,
                "a page of \(page.records.count) records, with a limit of \(scan.limit)")
            rows += page.records
            guard let next = page.next else { return rows }
            try expect(next != scan.after, "a page does not advance")
            scan.after = next
            try await between()
        }
        throw PromiseBroken("the pages of a query do not end", file: #fileID, line: #line)
    }

    /// All records of the live zones, read by name.
    func everything(in extent: QueryScan.Extent? = nil) throws -> [RecordRow] {
        let place: NameScan.Place
        switch extent {
        case .zone(let key): place = .zone(key)
        case .database, nil: place = .database(number)
        }
        var set = ReadSet()
        set.names = [NameScan(place: place, limit: .max, byteLimit: .max, examinedLimit: .max)]
        return try store.read(set).names[0].records
    }

    /// Fills the default zone until the database is too large for queries without an index.
    func fill(_ count: Int = 230, type: TypeNumber = TestTenant.note) async throws {
        var dice = Dice(seed: 7)
        let changes = (0..<count).map { number -> Change in
            .save(Name("filler \(number)"), Card.random(&dice).fields, type: type)
        }
        try await defaultZone.commit(changes)
    }

    // MARK: Trash

    func trash(
        _ name: Name? = nil, type: TypeNumber? = nil, from: Milliseconds? = nil, after: TrashRow.Position? = nil,
        limit: Int = 1_000
    ) throws -> [TrashRow] {
        try rows(TrashRow.newest(in: number, named: name, type: type, from: from, after: after, limit: limit))
    }
}
