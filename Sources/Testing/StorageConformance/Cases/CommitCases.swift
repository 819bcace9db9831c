import CloudKitWire
import NephosStorage
import Synchronization

extension StorageCase {
    static let commits: [StorageCase] = [
        errorAfterNeedWritesNothing, needNamesALowerDatabase, twoDatabasesInOppositeOrders, emptyDecision,
        headsOnlyMoveForward, unreadDatabaseIsRefused, manyWritersOneDatabase, failuresHurtNobodyElse,
        aFailedCatalogChangeIsForgotten, aLargeCommit, tooLargeACommit, durability, environmentsAreApart,
    ]

    static let errorAfterNeedWritesNothing = StorageCase(
        "an error that a decision throws is the commit's error, and nothing is written"
    ) { tenant in
        let zone = tenant.publicDatabase.defaultZone
        try await zone.save("a")
        let before = try zone.database.head()
        try await expectFailure(Refused.conflict, "a decision that throws at its second call") {
            try await tenant.store.commit(ReadSet()) { reading -> Decision<Void> in
                if !reading.records.isEmpty { throw Refused.conflict }
                var more = ReadSet()
                more.records = [RecordKey(zone: zone.key, name: "a")]
                return .need(more)
            }
        }
        try expectEqual(try zone.database.head(), before, "the head")
    }

    static let needNamesALowerDatabase = StorageCase(
        "a decision can request a database with a lower number than those it has, and write both"
    ) { tenant in
        let (lower, upper) = (try await tenant.person(1), try await tenant.person(2))
        let above = Batch(database: upper, zone: defaultZoneName, changes: [.save("a")], time: 1)
        let below = Batch(database: lower, zone: defaultZoneName, changes: [.save("a")], time: 1)
        try await tenant.store.commit(above.reading) { reading -> Decision<Void> in
            if reading.databases.count == 1 { return .need(below.reading) }
            return .write(try merged(above.writes(reading), below.writes(reading.behind(above.reading))), ())
        }
        for database in [lower, upper] {
            try expectEqual(try database.defaultZone.record("a")?.database, database.number, "the database of a record")
        }
    }

    static let twoDatabasesInOppositeOrders = StorageCase(
        "commits that name two databases in opposite orders all succeed, completely"
    ) { tenant in
        let (one, two) = (try await tenant.person(1), try await tenant.person(2))
        let other = try tenant.secondEngine()
        async let forth: Void = saveInBoth(one, two, names: (0..<20).map { Name("forth \($0)") })
        async let back: Void = saveInBoth(
            two.through(other), one.through(other), names: (0..<20).map { Name("back \($0)") })
        _ = try await (forth, back)
        for database in [one, two] {
            let names = try database.defaultZone.feed().changes.map(\.name)
            try expectEqual(Set(names).count, 40, "records in database \(database.number)")
        }
    }

    static let emptyDecision = StorageCase("a decision that writes nothing returns its result, and changes nothing") {
        tenant in
        let database = tenant.publicDatabase
        let before = (try database.head(), try tenant.catalog().head)
        var set = ReadSet()
        set.databases = [database.number]
        let answer = try await tenant.store.commit(set) { .write(WriteSet(), $0.databases[0]?.sequence) }
        try expectEqual(answer, before.0.sequence, "the answer")
        try expectEqual(try database.head(), before.0, "the head")
        try expectEqual(try tenant.catalog().head, before.1, "the catalog's row")
    }

    static let headsOnlyMoveForward = StorageCase(
        "a write that decreases a head is rejected, with the whole commit"
    ) { tenant in
        let zone = tenant.publicDatabase.defaultZone
        try await zone.save("a")
        let before = try zone.database.head()
        let moves: [@Sendable (inout HeadRow) -> Void] = [
            { $0.sequence -= 1 }, { $0.recordNumber -= 1 }, { $0.zoneNumber -= 1 }, { $0.time -= 1 },
        ]
        for (index, move) in moves.enumerated() {
            let batch = Batch(database: zone.database, zone: zone.name, changes: [.save("b")], time: 1)
            let error = await outcome {
                try await tenant.store.commit(batch.reading) { reading -> Decision<Void> in
                    var writes = try batch.writes(reading)
                    writes.heads = reading.databases.compactMap { $0 }
                    move(&writes.heads[0])
                    return .write(writes, ())
                }
            }
            try expect(error is StorageError, "move \(index) of a head: \(error.map { "\($0)" } ?? "went through")")
        }
        try expectEqual(try zone.database.head(), before, "the head")
        try expectEqual(try zone.record("b"), nil, "the record that was saved with it")
    }

    static let unreadDatabaseIsRefused = StorageCase(
        "a write to a database that the decision did not read is rejected, with the whole commit"
    ) { tenant in
        let (one, two) = (try await tenant.person(1), try await tenant.person(2))
        let (named, hidden) = (
            Batch(database: one, zone: defaultZoneName, changes: [.save("a")], time: 1),
            Batch(database: two, zone: defaultZoneName, changes: [.save("a")], time: 1)
        )
        let (head, zone) = (try two.head(), try two.defaultZone.row())
        let error = await outcome {
            try await tenant.store.commit(named.reading) { reading -> Decision<Void> in
                var unread = Reading(catalog: reading.catalog)
                unread.databases = [head]
                unread.zones = [zone]
                unread.records = [.absent]
                return .write(try merged(named.writes(reading), hidden.writes(unread)), ())
            }
        }
        try expect(error is StorageError, "the commit: \(error.map { "\($0)" } ?? "went through")")
        for database in [one, two] {
            try expectEqual(try database.defaultZone.record("a"), nil, "a record in database \(database.number)")
        }
    }

    static let manyWritersOneDatabase = StorageCase(
        "each of many concurrent writers gets its own sequences, without a gap"
    ) { tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        let other = zone.through(try tenant.secondEngine())
        let before = try zone.database.head().sequence
        let sequences = try await withThrowingTaskGroup(of: [Sequence].self) { group in
            for writer in 0..<32 {
                let zone = writer.isMultiple(of: 2) ? zone : other
                group.addTask {
                    try await zone.commit([.save(Name("a\(writer)")), .save(Name("b\(writer)"))]).map(\.sequence)
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        try expectEqual(sequences.sorted(), Array(before + 1...before + 64), "the sequences of 64 records")
        try expectEqual(try zone.feed().changes.map(\.sequence), sequences.sorted(), "the feed")
    }

    static let failuresHurtNobodyElse = StorageCase(
        "of many concurrent commits the failing ones write nothing, and the others everything"
    ) { tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        let failures = await withTaskGroup(of: (Int, (any Error)?).self) { group in
            for index in 0..<60 {
                group.addTask { (index, await outcome { try await zone.save(index) }) }
            }
            return await group.reduce(into: [Int: any Error]()) { $0[$1.0] = $1.1 }
        }
        try expectEqual(failures.keys.sorted(), (0..<60).filter { $0 % 3 != 0 }, "commits that failed")
        let names = Set(try zone.feed().changes.map(\.name))
        try expectEqual(names, Set((0..<60).filter { $0 % 3 == 0 }.map { Name("record \($0)") }), "records")
        try expectEqual(try zone.database.head().recordNumber, 20, "assigned record numbers")
    }

    static let aFailedCatalogChangeIsForgotten = StorageCase(
        "a catalog change that fails with its commit is visible to nobody"
    ) { tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        for round in 0..<10 {
            let field = Name("field \(round)")
            async let broken = outcome { try await zone.save("a", adding: field, .string, thenFail: true) }
            async let sound = outcome { try await zone.save("b", adding: field, .int64, thenFail: false) }
            let (failure, none) = await (broken, sound)
            // If it comes second, it finds the field of the valid one.
            let isRefused = failure as? Refused == .wrongType(.int64)
            try expect(
                failure is StorageError || isRefused,
                "the broken commit: \(failure.map { "\($0)" } ?? "went through")")
            try expect(none == nil, "the sound commit: \(none.map { "\($0)" } ?? "")")
            try expectEqual(try tenant.catalog().types["Note"]?.fields[field]?.kind, .int64, "the type of the field")
        }
    }

    static let aLargeCommit = StorageCase("a commit of 2,500 records is written completely") { tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        async let small = zone.save("small")
        try await zone.commit((0..<2_500).map { .save(Name("record \($0)"), ownedBy: "owner") })
        _ = try await small
        try expectEqual(try zone.database.head().records, 2_501, "records")
        try expectEqual(try zone.feed(limit: 5_000).changes.count, 2_501, "changes")
        try expectEqual(try zone.cascade(["owner"], limit: 5_000).count, 2_500, "references")
    }

    static let tooLargeACommit = StorageCase(
        "a decision that keeps touching more than 100,000 rows is called a few times, and nothing of it is written"
    ) { tenant in
        let zone = tenant.publicDatabase.defaultZone
        let before = try zone.database.head()
        let batch = Batch(database: zone.database, zone: zone.name, changes: [.save("a")], time: 1)
        let most = Atomic<Int>(0)
        let error = await outcome {
            try await tenant.store.commit(batch.reading) { reading -> Decision<Void> in
                most.max(reading.oversized.count, ordering: .relaxed)
                var writes = try batch.writes(reading)
                for number in 0..<commitRowsMax {
                    writes.put(
                        PendingCascadeRow(
                            database: zone.database.number, zone: 1, target: Name("\(number)"), sequence: 1))
                }
                return .write(writes, ())
            }
        }
        try expect(error is StorageError, "the commit: \(error.map { "\($0)" } ?? "went through")")
        let times = most.load(ordering: .relaxed)
        try expect((1...100).contains(times), "it was called again \(times) times")
        try expectEqual(try zone.database.head(), before, "the head")
        try expectEqual(try zone.record("a"), nil, "the record")
    }

    static let durability = StorageCase(
        "acknowledged data is stored after the engine was closed and reopened"
    ) { tenant in
        let person = try await tenant.person(1)
        let zone = try await person.createZone("Notes")
        try await zone.commit([.save("a", ownedBy: "b"), .save("b", "{\"n\":1}")])
        try await zone.delete("a", at: 5)
        let before = (try zone.feed(), try person.head(), try tenant.catalog().head, try person.zoneFeed())
        try tenant.restart()
        try expectEqual(try zone.feed(), before.0, "the feed of the zone")
        try expectEqual(try person.head(), before.1, "the head")
        try expectEqual(try tenant.catalog().head, before.2, "the catalog's row")
        try expectEqual(try person.zoneFeed(), before.3, "the feed of the database")
        try expectEqual(try await zone.save("c").sequence, before.1.sequence + 1, "the next sequence")
    }

    static let environmentsAreApart = StorageCase(
        "development and production of a container share nothing"
    ) { tenant in
        try await tenant.publicDatabase.defaultZone.save("a")
        let production = try tenant.inProduction()
        try expectEqual(try production.publicDatabase.defaultZone.record("a"), nil, "the record in production")
        try expectEqual(try production.catalog().head.tenant.environment, .production, "the other environment")
        try production.expectNothingFound()
    }
}

/// Saves each name in both databases with one commit, which lists `first` first.
private func saveInBoth(_ first: TestDatabase, _ second: TestDatabase, names: [Name]) async throws {
    for name in names {
        let one = Batch(database: first, zone: defaultZoneName, changes: [.save(name)], time: 1)
        let two = Batch(database: second, zone: defaultZoneName, changes: [.save(name)], time: 1)
        var set = one.reading
        set.append(two.reading)
        try await first.store.commit(set) { reading -> Decision<Void> in
            .write(try merged(one.writes(reading), two.writes(reading.behind(one.reading))), ())
        }
    }
}

extension TestZone {
    /// Saves a record; one in three throws in its decision, and one in three is a write that no engine may accept.
    fileprivate func save(_ index: Int) async throws {
        let batch = Batch(database: database, zone: name, changes: [.save(Name("record \(index)"))], time: 1)
        try await database.store.commit(batch.reading) { reading -> Decision<Void> in
            var writes = try batch.writes(reading)
            if index % 3 == 1 { throw Refused.conflict }
            if index % 3 == 2 { writes.heads[0].sequence = 0 }
            return .write(writes, ())
        }
    }

    /// Saves a record with a new field of the schema; with `thenFail` as a write that no engine may accept.
    fileprivate func save(
        _ record: Name, adding field: Name, _ kind: FieldType, thenFail: Bool
    ) async throws {
        let batch = Batch(database: database, zone: name, changes: [.save(record)], time: 1)
        try await database.store.commit(batch.reading) { reading -> Decision<Void> in
            var writes = try batch.writes(reading)
            if let known = reading.catalog.types["Note"]?.fields[field] { throw Refused.wrongType(known.kind) }
            writes.catalog = [CatalogWrite(new: .field(FieldRow(type: TestTenant.note, name: field, kind: kind)))]
            if thenFail { writes.heads[0].sequence = 0 }
            return .write(writes, ())
        }
    }
}

private func merged(_ one: WriteSet, _ two: WriteSet) -> WriteSet {
    var both = one
    both.heads += two.heads
    both.zones += two.zones
    both.records += two.records
    both.deletions += two.deletions
    return both
}

extension Reading {
    /// The part of the reading after `set`, for the kinds of rows that a ``Batch`` reads.
    fileprivate func behind(_ set: ReadSet) -> Reading {
        var rest = Reading(catalog: catalog)
        rest.databases = Array(databases.dropFirst(set.databases.count))
        rest.zones = Array(zones.dropFirst(set.zones.count))
        rest.records = Array(records.dropFirst(set.records.count))
        rest.stubs = Array(stubs.dropFirst(set.stubs.count))
        return rest
    }
}
