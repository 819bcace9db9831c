import CloudKitWire
import NephosStorage

extension StorageCase {
    static let annexes: [StorageCase] = [annexComesBack, annexFollowsAnnex, annexIsKept, annexScans]

    static let annexComesBack = StorageCase("a head's annex of features is returned, after a restart too") { tenant in
        let (database, other) = (try await tenant.person(1), try await tenant.person(2))
        let longest = (0..<HeadAnnex.bytesMax).map { UInt8(truncatingIfNeeded: $0) }
        for bytes in [[0], [0xFF, 0, 0x27], longest, [1]] as [[UInt8]] {
            try await database.keepAnnex(bytes)
            try expectEqual(try database.annex(), bytes, "what is kept")
            try tenant.expectNothingFound()
        }
        try await database.keepAnnex(longest, of: "trends")
        try tenant.restart()
        let again = database.through(tenant)
        try expectEqual(try again.annex(), [1], "what the first feature kept")
        try expectEqual(try again.annex(of: "trends"), longest, "what the second kept")
        try expectEqual(try other.through(tenant).head().annex, HeadAnnex(), "the annex of another database")
        try tenant.expectNothingFound()
        for feature in ["a", "trends"] { try await again.keepAnnex([], of: feature) }
        try expectEqual(try again.head().annex, HeadAnnex(), "the annex without features")
    }

    static let annexFollowsAnnex = StorageCase(
        "a decision sees the last committed annex, by the head and by a scan, with two engines on one location"
    ) { tenant in
        let database = try await tenant.person(1)
        let databases = [database, database.through(try tenant.secondEngine())]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<60 { group.addTask { try await databases[index % 2].count() } }
            try await group.waitForAll()
        }
        try expectEqual(try database.annex(), [60], "what sixty commits counted")
    }

    static let annexIsKept = StorageCase(
        "saves, deletions, sweeps, purges and index builds keep the annex of their head"
    ) { tenant in
        let database = try await tenant.person(1)
        try await database.keepAnnex([1, 2, 3])
        let zone = try await database.createZone("Notes")
        try await zone.commit([.save("a"), .save("b", ownedBy: "a")])
        try await database.defaultZone.commit([.save("x"), .save("y")])
        try await database.defaultZone.commit([.discard("x"), .delete("y")], at: 5)
        let shape = IndexShape(type: TestTenant.note, parts: [.value(.recordName)])
        try await database.open([shape])
        try await database.buildAll()
        try await database.deleteZone("Notes", at: 5)
        try await tenant.sweepAll(rows: 1)
        try await tenant.purgeAll(before: 9, rows: 1)
        while try await tenant.store.purgeTrash(deletedBefore: 9, rows: 1, at: 9) {}
        let head = try database.head()
        try expectEqual(head.annex["a"], [1, 2, 3], "what is kept")
        try expectEqual([head.records, head.tombstones, head.trash], [0, 0, 0], "what is left of the records")
        try expectEqual(try tenant.annexes(), [head], "heads with an annex")
    }

    static let annexScans = StorageCase(
        "heads with an annex are found by kind and number, up to a limit, until the annex is empty"
    ) { tenant in
        try expectEqual(try tenant.annexes(), [], "heads of a new tenant")
        var people: [TestDatabase] = []
        for number in 1...5 { people.append(try await tenant.person(UInt64(number))) }
        let (lane, kept) = (tenant.publicDatabase, [people[0], people[2], people[3]])
        for database in [people[3], lane, people[0], people[2], people[1]] { try await database.keepAnnex([7]) }
        try await people[1].keepAnnex([])
        let own = try kept.map { try $0.head() }
        let all = [try lane.head()] + own
        try expectEqual(try tenant.annexes(), all, "all")
        try expectEqual(try tenant.annexes(.personal), own, "private databases")
        try expectEqual(try tenant.annexes(.publicLane), Array(all.prefix(1)), "lanes")
        for limit in 1...5 {
            try expectEqual(try tenant.annexes(limit: limit), Array(all.prefix(limit)), "\(limit) of all")
            let page = try tenant.annexes(.personal, after: people[0].number, limit: limit)
            try expectEqual(page, Array(own.dropFirst().prefix(limit)), "\(limit) after the first person")
        }
        try expectEqual(try tenant.annexes(after: lane.number), own, "those after the lane")
        try expectEqual(try tenant.annexes(after: people[3].number), [], "those after the last")
        try expectEqual(try tenant.inProduction().annexes(), [], "those of another tenant")
        for database in kept + [lane] { try await database.keepAnnex([]) }
        try expectEqual(try tenant.annexes(), [], "heads whose annex is empty again")
    }
}

extension TestDatabase {
    /// Adds 1 to the annex of the feature `a`.
    fileprivate func count() async throws {
        var set = ReadSet()
        set.databases = [number]
        set.annexes = [AnnexScan(kind: .personal, after: number - 1, limit: 1)]
        try await store.commit(set) { reading in
            var head = try unwrap(reading.databases[0], "the head")
            let before = head.annex["a"].first ?? 0
            try expectEqual(reading.annexes[0].first?.annex["a"].first ?? 0, before, "what a scan finds")
            try expect(head.annex.set([before + 1], of: "a"), "one byte was refused")
            var writes = WriteSet()
            writes.heads = [head]
            return .write(writes, ())
        }
    }
}
