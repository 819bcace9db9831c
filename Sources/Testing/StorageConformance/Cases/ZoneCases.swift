import CloudKitWire
import NephosStorage

extension StorageCase {
    static let zones: [StorageCase] = [
        zoneListIsByName, databaseFeed, databaseFeedInPages, deletionTouchesNoRecord, sweepInChunks,
        madeAndDeletedAtOnce, clientToken,
    ]

    static let zoneListIsByName = StorageCase(
        "the list of zones has the live ones, by the bytes of their names"
    ) { tenant in
        let database = try await tenant.person(1)
        for name in ["b", "é", "e\u{301}", "a", "B", "gone"] as [Name] { try await database.createZone(name) }
        try await database.deleteZone("gone")
        try expectEqual(
            try database.liveZones().map(\.name), ["B", "_defaultZone", "a", "b", "e\u{301}", "é"], "the live zones")
        for name in ["a", "b", "B", "é", "e\u{301}"] as [Name] {
            try expectEqual(try database.zoneRow(.name(database.number, name))?.name, name, "zone \(name)")
        }
        try expectEqual(try database.zoneRow(.name(database.number, "A")), nil, "a name in another case")
        try expectEqual(try database.zoneRow(.name(database.number, "gone")), nil, "the deleted zone")
    }

    static let databaseFeed = StorageCase(
        "the database's feed has its zones by their last change, including deleted ones, and never the default zone"
    ) { tenant in
        let database = try await tenant.person(1)
        for name in ["a", "b", "c"] as [Name] { try await database.createZone(name) }
        try await database.defaultZone.save("x")
        try await database.zone("a").save("x")
        try await database.deleteZone("b", at: 9)
        let page = try database.zoneFeed()
        try expectEqual(page.zones.map(\.name), ["c", "a", "b"], "zones by their last change")
        try expectEqual(page.zones.map(\.state), [.live, .live, .dead], "their states")
        try expectEqual(page.zones.last?.deletedAt, 9, "when the last one was deleted")
        try expect(!page.more, "a page of all zones says there is more")
        let dead = try unwrap(page.zones.last, "the deleted zone")
        try expectEqual(
            try database.zoneFeed(deletedAfter: dead.changedSequence).zones.map(\.name), ["c", "a"],
            "zones without those that a new client never saw")
        try await database.zone("c").save("x")
        try expectEqual(
            try database.zoneFeed(after: page.position).zones.map(\.name), ["c"], "zones that changed since")
    }

    static let databaseFeedInPages = StorageCase(
        "pages of any size of the database's feed have each zone once"
    ) { tenant in
        let database = try await tenant.person(1)
        for index in 0..<12 { try await database.createZone(Name("zone \(index)")) }
        for index in stride(from: 0, to: 12, by: 3) { try await database.deleteZone(Name("zone \(index)")) }
        for index in stride(from: 1, to: 12, by: 3) { try await database.zone(Name("zone \(index)")).save("x") }
        let all = try database.zoneFeed().zones
        for limit in 1...13 {
            var (zones, position): ([ZoneRow], Sequence) = ([], 0)
            while true {
                let page = try database.zoneFeed(after: position, limit: limit)
                try expect(page.zones.count <= limit, "a page of \(page.zones.count) zones, with a limit of \(limit)")
                try expect(page.position > position || !page.more, "a page that is not the last does not advance")
                zones += page.zones
                position = page.position
                guard page.more else { break }
            }
            try expectEqual(zones, all, "pages of \(limit)")
        }
    }

    static let deletionTouchesNoRecord = StorageCase(
        "deleting a zone is one step: its rows count until they are swept"
    ) { tenant in
        let database = try await tenant.person(1)
        let zone = try await database.createZone("Notes")
        try await zone.commit((0..<200).map { .save(Name("record \($0)"), ownedBy: "owner") })
        let before = try database.head()
        try await database.deleteZone("Notes")
        var expected = before
        expected.sequence += 1
        expected.liveZones -= 1
        let head = try database.head()
        // docs/decisions/0064
        try expect(head.sharesVersion != expected.sharesVersion, "the version of shares after the deletion")
        expected.sharesVersion = head.sharesVersion
        try expectEqual(head, expected, "the head after the deletion")
        try await tenant.sweepAll(rows: 64)
        let after = try database.head()
        try expectEqual([after.records, after.recordBytes, after.references], [0, 0, 0], "the rows after the sweep")
        try expectEqual(after.zones, before.zones, "zone rows: the deleted one stays as a tombstone")
    }

    static let sweepInChunks = StorageCase(
        "a sweep runs in chunks while others write, and the state is correct after each"
    ) { tenant in
        let database = try await tenant.person(1)
        let (dead, live) = (try await database.createZone("dead"), try await database.createZone("live"))
        try await dead.commit((0..<20).map { .save(Name("record \($0)"), ownedBy: "record 0") })
        try await dead.commit((0..<5).map { .delete(Name("record \($0)")) })
        let number = try unwrap(try dead.row(), "the zone").number
        try await database.deleteZone("dead")
        var (rounds, left) = (0, 20)
        while try await tenant.store.sweepDeadZones(rows: 4, at: 1) {
            rounds += 1
            try await live.save(Name("live \(rounds)"))
            let rows = try database.defaultZone.feed(
                FeedScan(zone: .number(database.number, number), bound: 0, limit: 99))
            try expect(rows.changes.count >= left - 4, "one step of 4 rows removed \(left - rows.changes.count)")
            left = rows.changes.count
            try expectEqual(
                Int(try database.head().records + database.head().tombstones), left + rounds, "rows counted")
            try tenant.expectNothingFound()
        }
        try expect(rounds >= 4, "20 rows were swept in \(rounds) steps of 4")
        try expectEqual(try database.zoneRow(.number(database.number, number))?.state, .swept, "the deleted zone")
        try expectEqual(try live.feed().changes.count, rounds, "records of the live zone")
    }

    static let madeAndDeletedAtOnce = StorageCase("a zone can be deleted and created again in one commit") { tenant in
        let database = try await tenant.person(1)
        let zone = try await database.createZone("Notes")
        try await zone.save("a")
        let first = try unwrap(try zone.row(), "the zone")
        let batch = ZoneBatch(database: database.number, create: ["Notes"], delete: ["Notes"], time: 1)
        try await tenant.store.commit(batch.reading) { try batch.decide($0) }
        let second = try unwrap(try zone.row(), "the new zone")
        try expect(second.number > first.number, "the number \(second.number) was assigned before")
        try expectEqual(try database.head().liveZones, 2, "live zones")
        try expectEqual(try zone.feed().changes, [], "the feed of the new zone")
        try await tenant.sweepAll(rows: 100)
    }

    static let clientToken = StorageCase(
        "a zone keeps its client token, wherever the zone is returned, until it gets another"
    ) { tenant in
        let database = try await tenant.person(1)
        let (zone, other) = (try await database.createZone("Notes"), try await database.createZone("Other"))
        try expectEqual(try zone.row()?.clientToken, nil, "the token of a new zone")
        // Empty, zeros and bytes that are not text, one byte, and the longest token that a request may contain.
        for token in [[], [0, 0xFF, 0], [7], Array(repeating: 0x80, count: 1_024)] as [[UInt8]] {
            try await zone.keep(token)
            let row = try unwrap(try zone.row(), "the zone")
            try expectEqual(row.clientToken, token, "the token")
            try expectEqual(try database.zoneRow(.number(database.number, row.number)), row, "the zone by its number")
            try expectEqual(try database.liveZones().first { $0.name == "Notes" }, row, "the zone in the list")
            try expectEqual(try database.zoneFeed().zones.last, row, "the zone in the database's feed")
            try expectEqual(try other.row()?.clientToken, nil, "the token of another zone")
            try tenant.expectNothingFound()
        }
        let token = try zone.row()?.clientToken
        try await zone.save("a")
        try await zone.delete("a", at: 10)
        try await tenant.purgeAll(before: 20)
        try expectEqual(try zone.row()?.clientToken, token, "the token after a save, a deletion and a purge")
        try tenant.restart()
        try expectEqual(try zone.through(tenant).row()?.clientToken, token, "the token after a restart")
        try await zone.keep(nil)
        try expectEqual(try zone.row()?.clientToken, nil, "the removed token")
    }
}
