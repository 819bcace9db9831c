import CloudKitWire
import NephosStorage
import Synchronization

extension StorageCase {
    static let indexes: [StorageCase] = [
        indexesAreListed, openingTwice, readyWhenBuilt, buildingInChunks, buildingGoesOnAfterARestart,
        writersBesideABuilder, droppedIndexesGo, sweptZonesLeaveNoEntries, atMostSoManyIndexes, useIsRemembered,
        noIndexNoVersion, oversizedCommits,
    ]

    private static let byCount = shape([.order(Card.count, isDescending: false)])
    private static let byTags = shape([.member(Card.tags), .order(.recordName, isDescending: false)])

    private static func shape(_ parts: [IndexShape.Part], type: TypeNumber = TestTenant.note) -> IndexShape {
        IndexShape(type: type, parts: parts)
    }

    static let indexesAreListed = StorageCase(
        "an index is returned as it was opened, with every kind of part, and with its own number"
    ) { tenant in
        let database = try await tenant.person(1)
        let place = Card.field("place", .location, epoch: 3)
        let shapes = [
            byCount, byTags,
            shape([.value(.createdBy), .cell(place), .order(.modifiedAt, isDescending: true)], type: TestTenant.task),
            shape([.token([Card.title, Card.field("caf\u{E9}", .stringList)])]),
            shape([.value(.parent), .value(.modifiedBy), .order(.createdAt, isDescending: false)]),
        ]
        try await database.open(shapes, at: 7_300_000)
        try tenant.restart()
        let rows = try database.indexes()
        try expectEqual(rows.map(\.shape), shapes, "the shapes")
        try expectEqual(rows.map(\.number), rows.map(\.number).sorted(), "the numbers, which ascend")
        try expectEqual(Set(rows.map(\.number)).count, shapes.count, "different numbers")
        for row in rows {
            try expectEqual(row.state, .building, "the state of index \(row.number)")
            try expectEqual(row.createdAt, 7_300_000, "when index \(row.number) was opened")
            try expectEqual(row.usedAt, 7_200_000, "when index \(row.number) was used, to the hour")
        }
        try expectEqual(try tenant.publicDatabase.indexes(), [], "indexes of another database")
    }

    static let openingTwice = StorageCase(
        "opening an existing index changes nothing, whoever opens it"
    ) { tenant in
        let database = try await tenant.person(1)
        let other = database.through(try tenant.secondEngine())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for round in 0..<10 {
                let database = round.isMultiple(of: 2) ? database : other
                group.addTask { try await database.open([byCount, byTags], at: Milliseconds(round)) }
            }
            try await group.waitForAll()
        }
        let before = (try database.indexes(), try database.head().indexVersion)
        try expectEqual(Set(before.0.map(\.shape)), [byCount, byTags], "the indexes")
        try expectEqual(before.0.count, 2, "how many there are")
        try await other.buildAll()
        let built = try database.head().indexVersion
        try expect(built > before.1, "the version did not rise when the indexes were ready")
        try await database.open([byCount, byTags, byCount])
        try expectEqual(try database.head().indexVersion, built, "the version after they were opened again")
        try expectEqual(
            try database.indexes().map(\.state), [.ready, .ready], "the states after they were opened again")
    }

    static let readyWhenBuilt = StorageCase(
        "an index is used by queries once it has all records, and not before, in every engine"
    ) { tenant in
        let database = try await tenant.person(1)
        let other = database.through(try tenant.secondEngine())
        try await database.fill()
        let sample = SampleQuery.all[2]
        let scan = QueryScan(
            extent: .database(database.number), type: TestTenant.note, conditions: sample.conditions,
            orders: sample.orders, limit: 1_000)
        let wanted = try database.query(scan).wanted
        try expect(!wanted.isEmpty, "a query of a large database requests no index")
        try await database.open(wanted)
        let expected = try sample.answer(from: try database.everything(), type: TestTenant.note)
        while try await database.store.buildIndexes(in: database.number, rows: 40) {
            let page = try other.query(scan)
            let building = Set(try other.indexes().filter { $0.state != .ready }.map(\.number))
            try expect(building.isDisjoint(with: page.used), "a page used an index that is being built")
            if page.isAnswered { try expectEqual(page.records, expected, "the result during a build") }
        }
        try expectEqual(try database.indexes().map(\.state), wanted.map { _ in .ready }, "the states at the end")
        let page = try other.query(scan)
        try expectEqual(page.records, expected, "the result from the index")
        try expect(!page.used.isEmpty, "a query does not use the index that it requested")
        try expectEqual(page.wanted, [], "what the query still requests")
    }

    static let buildingInChunks = StorageCase(
        "a builder reads no more records than allowed in one step, and only in the requested database"
    ) { tenant in
        let database = try await tenant.person(1)
        let bystander = try await tenant.person(2)
        try await database.fill(60)
        try await bystander.fill(10)
        try await database.open([byCount, byTags])
        try await bystander.open([byCount])
        var built: RecordNumber = 0
        while try await database.store.buildIndexes(in: database.number, rows: 7) {
            let now = try database.indexes().map(\.builtTo)
            try expectEqual(Set(now).count, 1, "different ends of indexes that were opened together")
            try expect(now[0] > built && now[0] <= built + 7, "one step of 7 went from \(built) to \(now[0])")
            built = now[0]
            try tenant.expectNothingFound()
        }
        try expectEqual(try database.indexes().map(\.state), [.ready, .ready], "the states")
        try expectEqual(try bystander.indexes().map(\.builtTo), [0], "the progress of the other database")
        try expectEqual(
            try await database.store.buildIndexes(in: database.number, rows: 7), false, "whether more is left")
        for _ in 0..<20 { _ = try await tenant.store.buildIndexes(in: nil, rows: 100) }
        try expectEqual(try bystander.indexes().map(\.state), [.ready], "the state in the other database")
    }

    static let buildingGoesOnAfterARestart = StorageCase(
        "building continues where it was before a restart, and an index opened meanwhile catches up"
    ) { tenant in
        let database = try await tenant.person(1)
        try await database.fill(100)
        try await database.open([byCount])
        _ = try await database.store.buildIndexes(in: nil, rows: 30)
        let half = try unwrap(try database.index(byCount), "the index").builtTo
        try expect(half > 0, "nothing was built")
        try tenant.restart()
        try expectEqual(try database.index(byCount)?.builtTo, half, "the progress after a restart")
        try await database.open([byTags])
        while try await database.store.buildIndexes(in: nil, rows: 20) { try tenant.expectNothingFound() }
        try expectEqual(try database.indexes().map(\.state), [.ready, .ready], "the states")
    }

    static let writersBesideABuilder = StorageCase(
        "records written, changed and deleted during a build are indexed in their final state"
    ) { tenant in
        let database = try await tenant.person(1)
        let other = database.through(try tenant.secondEngine())
        try await database.fill()
        let zone = try await database.createZone("Trips")
        try await zone.commit((0..<20).map { .save(Name("trip \($0)"), Card(count: 1).fields) })
        try await database.open([byCount, byTags])
        var round = 0
        while try await database.store.buildIndexes(in: database.number, rows: 25) {
            round += 1
            // Records on both sides of the builder's position: 0 to 229 in the order of their numbers.
            let names = [0, 100, 200, 229].map { Name("filler \(($0 + round) % 230)") }
            try await other.defaultZone.commit([
                .save(names[0], Card(count: Int64(round), tags: ["red"]).fields), .delete(names[1]),
                .save(names[2], Card(tags: ["blue", "green"]).fields),
                .save(names[3], Card(count: 3).fields, type: TestTenant.task),
                .save(Name("new \(round)"), Card(count: 2, tags: ["red"]).fields),
            ])
            if round == 3 { try await other.deleteZone("Trips") }
            if round > 3 { _ = try await other.store.sweepDeadZones(rows: 5, at: 1) }
            try tenant.expectNothingFound()
        }
        try expect(round > 5, "the builder was done after \(round) steps")
        for sample in SampleQuery.all {
            let scan = QueryScan(
                extent: .database(database.number), type: TestTenant.note, conditions: sample.conditions,
                orders: sample.orders, limit: 50)
            let expected = try sample.answer(from: try database.everything(), type: TestTenant.note)
            try expectEqual(try await other.queryAll(scan), expected, "'\(sample.name)'")
        }
    }

    static let droppedIndexesGo = StorageCase(
        "a dropped index is unused immediately, is removed in chunks, and can be opened again immediately"
    ) { tenant in
        let database = try await tenant.person(1)
        try await database.fill(60)
        try await database.createZone("Trips").commit((0..<9).map { .save(Name("\($0)"), Card(count: 1).fields) })
        try await database.open([byCount])
        try await database.buildAll()
        let first = try unwrap(try database.index(byCount), "the index")
        let version = try database.head().indexVersion
        try await database.store.dropIndexes([first.number, 999], in: database.number)
        try expect(try database.head().indexVersion > version, "the version did not rise")
        try expectEqual(try database.maintainedIndexes(), [], "indexes that are kept")
        try await database.open([byCount])
        let second = try unwrap(try database.index(byCount), "the index that was opened again")
        try expect(second.number != first.number, "an index has the number of one that still has entries")
        try await database.defaultZone.commit([.save("filler 3", Card(count: 9).fields), .delete("filler 4")])
        var steps = 0
        while try await database.store.buildIndexes(in: database.number, rows: 10) {
            steps += 1
            try tenant.expectNothingFound()
        }
        try expect(steps >= 12, "69 records and as many old entries were removed in \(steps) steps of 10")
        try expectEqual(try database.indexes().map(\.number), [second.number], "the indexes at the end")
        try await database.store.dropIndexes([second.number], in: database.number)
        try await database.store.dropIndexes([second.number], in: database.number)
        try await database.buildAll()
        try expectEqual(try database.indexes(), [], "indexes that are listed at last")
    }

    static let sweptZonesLeaveNoEntries = StorageCase(
        "a zone is swept with its entries, in chunks, and every intermediate state is consistent"
    ) { tenant in
        let database = try await tenant.person(1)
        let zone = try await database.createZone("Trips")
        try await database.open([byCount, byTags])
        let tags = ["red", "green", "blue"]
        try await zone.commit((0..<8).map { .save(Name("\($0)"), Card(count: 1, tags: tags).fields) })
        try await database.defaultZone.commit([.save("stays", Card(count: 1, tags: tags).fields)])
        try await database.deleteZone("Trips")
        var steps = 1
        while try await tenant.store.sweepDeadZones(rows: 3, at: 1) {
            steps += 1
            try tenant.expectNothingFound()
            if steps == 5 { try await database.buildAll() }
        }
        // 8 records, each with an entry for its count and one for each tag.
        try expect(steps >= 40 / 3, "40 rows were swept in \(steps) steps of 3")
        try tenant.expectNothingFound()
        try expectEqual(try database.head().records, 1, "records that are left")
    }

    static let atMostSoManyIndexes = StorageCase(
        "a type has a limited number of indexes in a database: beyond it the least recently used one is removed"
    ) { tenant in
        let database = try await tenant.person(1)
        let hour: Milliseconds = 3_600_000
        func shape(_ number: Int, _ type: TypeNumber = TestTenant.note) -> IndexShape {
            IndexShape(type: type, parts: [.value(Card.field(Name("field\(number)"), .int64))])
        }
        try await database.open([shape(0, TestTenant.task)], at: 0)
        for number in 0..<indexesMax { try await database.open([shape(number)], at: Milliseconds(number) * hour) }
        try expectEqual(try database.maintainedIndexes().count, indexesMax + 1, "indexes at the limit")
        // The first is used again, so the second is now the least recently used.
        let used = try unwrap(try database.index(shape(0)), "the first index").number
        try await database.store.noteUse(of: [used], in: database.number, at: 99 * hour)
        try await database.open([shape(100), shape(101)], at: 100 * hour)
        try expectEqual(try database.maintainedIndexes().count, indexesMax + 1, "indexes past the limit")
        for number in [0, 3, indexesMax - 1, 100, 101] {
            try expect(try database.index(shape(number)) != nil, "the index of field\(number) was removed")
        }
        for number in [1, 2] {
            try expectEqual(try database.index(shape(number)), nil, "an index that was not used for long")
        }
        try expect(try database.index(shape(0, TestTenant.task)) != nil, "an index of another type was removed")
        // With a clock that went back, new indexes must not count as the oldest.
        try await database.open([shape(102)], at: 0)
        try expect(try database.index(shape(102)) != nil, "an index was dropped when it was opened")
        try await database.open((200..<220).map { shape($0) }, at: 200 * hour)
        let kept = try database.maintainedIndexes().filter { $0.shape.type == TestTenant.note }
        try expectEqual(kept.count, indexesMax, "indexes after more than the limit were opened together")
    }

    static let useIsRemembered = StorageCase("the use of an index is recorded to the hour, and never decreases") {
        tenant in
        let database = try await tenant.person(1)
        try await database.open([byCount, byTags], at: 3_600_000)
        let number = try unwrap(try database.index(byCount), "the index").number
        let version = try database.head().indexVersion
        for (time, expected) in [(5_400_000, 3_600_000), (7_200_000, 7_200_000), (0, 7_200_000)] {
            try await database.store.noteUse(
                of: [number, 999], in: database.number, at: Milliseconds(time))
            try expectEqual(try database.index(byCount)?.usedAt, Milliseconds(expected), "the use noted at \(time)")
        }
        try expectEqual(try database.index(byTags)?.usedAt, 3_600_000, "the use of the other index")
        try expectEqual(try database.head().indexVersion, version, "the version")
    }

    static let noIndexNoVersion = StorageCase("a database without indexes has the index version 0") { tenant in
        let database = try await tenant.person(1)
        try await database.fill(30)
        try await database.open([])
        try await database.store.dropIndexes([1], in: database.number)
        try expectEqual(try await database.store.buildIndexes(in: nil, rows: 10), false, "whether more is left")
        try expectEqual(try database.head().indexVersion, 0, "the version")
        // A head returned by a decision does not set it either.
        var set = ReadSet()
        set.databases = [database.number]
        try await database.store.commit(set) { reading -> Decision<Void> in
            var head = try unwrap(reading.databases[0], "the head")
            head.indexVersion = 7
            head.trash = 7
            var writes = WriteSet()
            writes.heads = [head]
            return .write(writes, ())
        }
        try expectEqual(try database.head().indexVersion, 0, "the version after a decision wrote a different one")
        try expectEqual(try database.head().trash, 0, "the trash after a decision wrote a different count")
    }

    static let oversizedCommits = StorageCase(
        "a write of more than 100,000 rows and entries is rolled back, and decided again to touch fewer"
    ) { tenant in
        let database = try await tenant.person(1)
        let zone = database.defaultZone
        try await database.open([byTags, shape([.member(Card.tags), .order(.createdAt, isDescending: true)])])
        try await database.buildAll()
        let fields = Card(tags: (0..<5_000).map { "tag\($0)" }).fields
        let all = (0..<10).map { Change.save(Name("record \($0)"), fields) }
        let batch = Batch(database: database, zone: zone.name, changes: all, time: 1)
        let calls = Mutex<[[CommitReport]]>([])
        try await tenant.store.commit(batch.reading) { reading -> Decision<Void> in
            calls.withLock { $0.append(reading.oversized) }
            let few = Array(all.prefix(reading.oversized.isEmpty ? all.count : 2))
            return .write(try Batch(database: database, zone: zone.name, changes: few, time: 1).writes(reading), ())
        }
        // It may also be called at the start, for a transaction of its own.
        let seen = calls.withLock { $0 }
        try expect(seen.contains([]) && seen.contains { !$0.isEmpty }, "the calls were told \(seen)")
        try expect(seen.joined().allSatisfy(\.isTooLarge), "the calls were told \(seen)")
        try expectEqual(try database.head().records, 2, "records")
        // A save with unchanged entries touches none.
        try await zone.commit((0..<2).map { .save(Name("record \($0)"), fields) })
    }
}
