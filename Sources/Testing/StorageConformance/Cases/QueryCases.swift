import CloudKitWire
import NephosStorage

extension StorageCase {
    static let queries: [StorageCase] = [
        samplesWithoutAnIndex, pagesGoOnAcrossWrites, queriesSeeLiveZonesOnly, indexesOfOthers, queryPageLimits,
        removedFields, neighbours,
    ]

    static let samplesWithoutAnIndex = StorageCase(
        "a small database runs every query without an index, and requests none"
    ) { tenant in
        let database = try await tenant.person(1)
        try await database.fill(40)
        try await database.createZone("Trips").commit((0..<9).map { .save(Name("\($0)"), Card(count: 1).fields) })
        for sample in SampleQuery.all {
            let extent = QueryScan.Extent.database(database.number)
            let expected = try sample.answer(from: try database.everything(), type: TestTenant.note)
            for limit in [1, 3, 1_000] {
                let scan = QueryScan(
                    extent: extent, type: TestTenant.note, conditions: sample.conditions, orders: sample.orders,
                    limit: limit)
                let page = try database.query(scan)
                try expect(
                    page.isAnswered && page.wanted.isEmpty && page.used.isEmpty, "'\(sample.name)' needs indexes")
                try expectEqual(try await database.queryAll(scan), expected, "'\(sample.name)' in pages of \(limit)")
            }
        }
        try expectEqual(try database.head().indexVersion, 0, "the version of the indexes")
    }

    static let pagesGoOnAcrossWrites = StorageCase(
        "unchanged records appear once, whatever is written between the pages of a query"
    ) { tenant in
        let database = try await tenant.person(1)
        try await database.fill()
        let zone = database.defaultZone
        for sample in [SampleQuery.all[2], SampleQuery.all[4], SampleQuery.all[5]] {
            let before = try sample.answer(from: try database.everything(), type: TestTenant.note)
            let touched = Set(before.enumerated().filter { $0.offset % 3 == 1 }.map(\.element.name))
            var remaining = touched.sorted()
            let scan = QueryScan(
                extent: .zone(zone.key), type: TestTenant.note, conditions: sample.conditions, orders: sample.orders,
                limit: 5)
            let found = try await database.queryAll(scan) {
                guard let name = remaining.popLast() else { return }
                try await zone.commit([
                    remaining.count.isMultiple(of: 2) ? .delete(name) : .save(name, Card(count: 2, title: "b").fields),
                    .save(Name("new \(name)"), Card(count: 1, title: "ab", tags: ["red"]).fields),
                ])
            }
            let untouched = before.filter { !touched.contains($0.name) }
            let names = Set(untouched.map(\.name))
            try expectEqual(found.filter { names.contains($0.name) }, untouched, "'\(sample.name)'")
        }
    }

    static let queriesSeeLiveZonesOnly = StorageCase(
        "a query covers one zone or all live ones; in a missing zone it finds nothing"
    ) { tenant in
        let database = try await tenant.person(1)
        try await database.fill()
        for name in ["gone", "again", "here"] as [Name] {
            try await database.createZone(name).commit([.save("x", Card(count: 77).fields)])
        }
        let condition = QueryCondition(Card.count, .isAny([.integer(77)]))
        func names(_ extent: QueryScan.Extent) async throws -> [Name] {
            let scan = QueryScan(extent: extent, type: TestTenant.note, conditions: [condition], limit: 10)
            return try await database.queryAll(scan).map(\.name)
        }
        let gone = try unwrap(try database.zone("gone").row(), "the zone").number
        // From here on there is an index, with entries of the zones that are deleted next.
        try expectEqual(try await names(.database(database.number)), ["x", "x", "x"], "the database at first")
        try expectEqual(try await names(.zone(.number(database.number, gone))), ["x"], "a zone by its number")
        try await database.deleteZone("gone")
        try await database.deleteZone("again")
        try await database.createZone("again").commit([.save("y", Card(count: 77).fields)])
        for _ in 0..<2 {
            try expectEqual(try await names(.database(database.number)), ["x", "y"], "the database")
            try expectEqual(try await names(.zone(database.zone("again").key)), ["y"], "a zone that was created again")
            try expectEqual(try await names(.zone(database.zone("here").key)), ["x"], "another zone")
            try expectEqual(try await names(.zone(.number(database.number, gone))), [], "a deleted zone")
            try expectEqual(try await names(.zone(database.zone("gone").key)), [], "its name")
            try expectEqual(try await names(.zone(.name(99, "here"))), [], "a missing database")
            try await tenant.sweepAll(rows: 1)
        }
    }

    static let indexesOfOthers = StorageCase("databases share neither indexes nor entries") { tenant in
        let databases = [try await tenant.person(1), try await tenant.person(2)]
        for database in databases { try await database.fill() }
        let sample = SampleQuery.all[1]
        func scan(_ database: TestDatabase) -> QueryScan {
            QueryScan(
                extent: .database(database.number), type: TestTenant.note, conditions: sample.conditions, limit: 20)
        }
        let first = try await databases[0].queryAll(scan(databases[0]))
        try expect(first.allSatisfy { $0.database == databases[0].number }, "records of another database")
        try expectEqual(try databases[1].indexes(), [], "indexes of the other database")
        try await databases[1].defaultZone.commit([.save("more", Card(count: 1).fields)])
        try expectEqual(try await databases[0].queryAll(scan(databases[0])), first, "the same query again")
        let second = try await databases[1].queryAll(scan(databases[1]))
        try expectEqual(second.count, first.count + 1, "the records of the other database")
    }

    static let queryPageLimits = StorageCase(
        "a page has no more records and bytes than allowed, but at least one record, and a short page continues"
    ) { tenant in
        let database = try await tenant.person(1)
        try await database.fill()
        let sample = SampleQuery.all[6]
        let expected = try sample.answer(from: try database.everything(), type: TestTenant.note)
        for (limit, byteLimit, examined) in [
            (7, 1 << 20, 10_000), (1_000, 1, 10_000), (1_000, 300, 10_000), (9, 300, 20),
        ] {
            var scan = QueryScan(
                extent: .database(database.number), type: TestTenant.note, conditions: sample.conditions,
                orders: sample.orders, limit: limit, byteLimit: byteLimit, examinedLimit: examined)
            try expectEqual(try await database.queryAll(scan), expected, "pages of \(limit) and \(byteLimit) bytes")
            let page = try await database.answeredQuery(scan)
            let bytes = page.records.reduce(0) { $0 + $1.storedBytes }
            try expect(page.records.count == 1 || bytes <= byteLimit, "\(page.records.count) records, \(bytes) bytes")
            scan.conditions = [QueryCondition(Card.title, .isAny([]))]
            try expectEqual(try await database.queryAll(scan), [], "a condition that nothing matches")
        }
    }

    static let removedFields = StorageCase(
        "values from before a field was recreated count as missing, in indexes too"
    ) { tenant in
        let database = try await tenant.person(1)
        try await database.fill()
        try await database.defaultZone.commit([.save("old", Card(count: 88).fields)])
        try await database.defaultZone.insert("new", Card(count: 88).fields, epoch: 2)
        for (epoch, expected) in [(0, ["old", "new"]), (2, ["new"]), (3, [])] as [(Int64, [Name])] {
            let field = Card.field("count", .int64, epoch: epoch)
            let scan = QueryScan(
                extent: .database(database.number), type: TestTenant.note,
                conditions: [QueryCondition(field, .isAny([.integer(88)]))], orders: [QueryOrder(field)], limit: 5)
            try expectEqual(try await database.queryAll(scan).map(\.name), expected, "records of epoch \(epoch)")
        }
    }

    static let neighbours = StorageCase(
        "a query examines the same number of rows with a thousand other people as with one"
    ) { tenant in
        let database = try await tenant.person(1)
        try await database.fill()
        func examined() async throws -> [Int] {
            var counts: [Int] = []
            for sample in SampleQuery.all {
                for extent in [QueryScan.Extent.database(database.number), .zone(database.defaultZone.key)] {
                    let scan = QueryScan(
                        extent: extent, type: TestTenant.note, conditions: sample.conditions, orders: sample.orders,
                        limit: 20)
                    counts.append(try await database.answeredQuery(scan).examined)
                }
            }
            return counts
        }
        try await tenant.person(2).fill(5)
        // The first call builds the indexes.
        _ = try await examined()
        let besideOne = try await examined()
        for number: UInt64 in 3...1_001 { try await tenant.person(number).fill(5) }
        try expectEqual(try await examined(), besideOne, "rows that queries examined")
        try expect(besideOne.allSatisfy { $0 > 0 }, "a query finds records without examining any: \(besideOne)")
    }
}

extension TestZone {
    /// Saves a new record with another epoch of its type.
    fileprivate func insert(_ name: Name, _ fields: String, epoch: Int64) async throws {
        let batch = Batch(database: database, zone: self.name, changes: [.save(name, fields)], time: 1)
        try await database.store.commit(batch.reading) { reading -> Decision<Void> in
            var writes = try batch.writes(reading)
            writes.records[0].new.fieldsEpoch = epoch
            return .write(writes, ())
        }
    }
}
