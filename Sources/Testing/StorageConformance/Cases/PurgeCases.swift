import CloudKitWire
import NephosStorage

extension StorageCase {
    static let purges: [StorageCase] = [oneTombstoneAName, purgeOfTombstones, purgeInChunks, purgeOfZones]

    static let oneTombstoneAName = StorageCase("a name has a record or one tombstone, never both") { tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        for round in 1...3 {
            let saved = try await zone.save("a")
            try expectEqual(try zone.feed().changes, [.record(saved)], "the feed after save \(round)")
            try await zone.delete("a", at: Milliseconds(round))
            let changes = try zone.feed().changes
            try expectEqual(changes.count, 1, "changes after deletion \(round)")
            guard case .tombstone(let tombstone)? = changes.first else { continue }
            try expectEqual(tombstone.sequence, saved.sequence + 1, "the sequence of tombstone \(round)")
            try expectEqual(tombstone.deletedAt, Milliseconds(round), "the time of tombstone \(round)")
        }
        let again = try await zone.save("a")
        try expect(again.number > 3, "a recreated record has the number \(again.number) of another")
        try expectEqual(try zone.database.head().tombstones, 0, "tombstones")
    }

    static let purgeOfTombstones = StorageCase(
        "a purge removes tombstones from before its time, and expires tokens from before the last of them"
    ) { tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        try await zone.commit([.save("a"), .save("b"), .save("c"), .save("d")])
        try await zone.delete("a", at: 10)
        try await zone.delete("b", at: 20)
        let old = try zone.database.head().sequence
        try await zone.delete("c", at: 30)
        let untouched = try await zone.database.createZone("Untouched")
        try await tenant.purgeAll(before: 30, rows: 100)
        try expectEqual(try zone.feed().changes.map(\.name), ["d", "c"], "what is left of the feed")
        try expectEqual(try zone.row()?.purgedSequence, old, "the sequence up to which the zone was purged")
        try expectEqual(try untouched.row()?.purgedSequence, 0, "the same of a zone without tombstones")
        try expectEqual(try zone.database.head().tombstones, 1, "tombstones that are counted")
        try expectEqual(
            try await tenant.store.purgeTombstones(deletedBefore: 30, rows: 100), false, "whether there is more")
    }

    static let purgeInChunks = StorageCase(
        "a purge runs in chunks and never removes a newer tombstone before an older one"
    ) { tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        let names = (0..<20).map { Name("record \($0)") }
        try await zone.commit(names.map { .save($0) })
        for (index, name) in names.enumerated() { try await zone.delete(name, at: Milliseconds(index + 1)) }
        var left = try zone.feed().changes.count
        while try await tenant.store.purgeTombstones(deletedBefore: 18, rows: 3) {
            let changes = try zone.feed().changes
            try expect(left - changes.count <= 3, "one step of 3 rows removed \(left - changes.count)")
            left = changes.count
            let purged = try unwrap(try zone.row(), "the zone").purgedSequence
            let oldest = try unwrap(changes.first, "a tombstone").sequence
            try expectEqual(purged, oldest - 1, "the sequence up to which the zone was purged")
            try tenant.expectNothingFound()
        }
        try expectEqual(try zone.feed().changes.map(\.name), Array(names.suffix(3)), "tombstones from the time on")
    }

    static let purgeOfZones = StorageCase(
        "a purge removes swept zones, not those that wait for a sweep, and expires the database's tokens"
    ) { tenant in
        let database = try await tenant.person(1)
        for name in ["old", "young", "waiting"] as [Name] { try await database.createZone(name).save("a") }
        try await database.deleteZone("old", at: 10)
        let deletion = try database.head().sequence
        try await database.deleteZone("young", at: 20)
        try await tenant.sweepAll(rows: 10)
        try await database.deleteZone("waiting", at: 20)
        try await tenant.purgeAll(before: 20, rows: 10)
        try expectEqual(try database.zoneFeed().zones.map(\.name), ["young", "waiting"], "the zones that are left")
        try expectEqual(try database.head().purgedSequence, deletion, "the sequence up to which zones are removed")
        try await tenant.purgeAll(before: 99, rows: 10)
        try expectEqual(try database.zoneFeed().zones.map(\.name), ["waiting"], "the zone that is not swept yet")
        try await tenant.sweepAll(rows: 10)
        try await tenant.purgeAll(before: 99, rows: 1)
        try expectEqual(try database.zoneFeed().zones, [], "zones that are left at last")
        try expectEqual(try database.head().zones, 1, "the default zone")
    }
}
