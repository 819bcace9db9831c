import CloudKitWire
import NephosStorage

extension StorageCase {
    static let trashes: [StorageCase] = [
        trashKeepsTheRecord, trashIsListed, restoredRecords, takenTwice, purgeOfTrash,
    ]

    static let trashKeepsTheRecord = StorageCase(
        "a record deleted to the trash is stored there with every column, and other deleted records are removed"
    ) { tenant in
        let zone = tenant.publicDatabase.defaultZone
        let references = [ReferenceTarget(target: "a", kind: .none), ReferenceTarget(target: "b", kind: .parent)]
        let saved = try await zone.commit([
            .save("kept", #"{"text":"\u00e9"}"#, type: TestTenant.task, references: references), .save("gone"),
        ])
        try await zone.commit([.discard("kept"), .delete("gone")], at: 50)
        let expected = TrashRow(record: saved[0], deletedAt: 50, deletedBy: zone.database.user)
        try expectEqual(try zone.database.trash(), [expected], "the trash")
        try expectEqual(try zone.database.head().trash, 1, "the count in the head")
        try expectEqual(try zone.record("kept"), nil, "the record")
        try expectEqual(try zone.feed().changes.compactMap(\.recordName), [], "records in the feed")
        let head = try zone.database.head()
        try expectEqual([head.records, head.recordBytes, head.references], [0, 0, 0], "records, bytes and references")
    }

    static let trashIsListed = StorageCase(
        "the trash is listed from the latest deletion on, by name too, and can contain the same name several times"
    ) { tenant in
        let database = tenant.publicDatabase
        let zone = database.defaultZone
        for time in 1...4 {
            try await zone.commit([.save("a", "\(time)"), .save(Name("b\(time)"), "\(time)")])
            try await zone.commit([.discard("a"), .discard(Name("b\(time)"))], at: Milliseconds(time * 10))
        }
        func times(_ rows: [TrashRow]) -> [Milliseconds] { rows.map(\.deletedAt) }
        try expectEqual(times(try database.trash()), [40, 40, 30, 30, 20, 20, 10, 10], "the times of all")
        try expectEqual(times(try database.trash(limit: 3)), [40, 40, 30], "the times of three")
        let thirty = TrashRow.Position(deletedAt: 30, number: 0)
        try expectEqual(times(try database.trash(after: thirty)), [20, 20, 10, 10], "the times of those before 30")
        try expectEqual(times(try database.trash(from: 20, after: thirty)), [20, 20], "the times of those from 20 on")
        let named = try database.trash("a", after: TrashRow.Position(deletedAt: 40, number: 0), limit: 2)
        try expectEqual(named.map(\.record.fields.text), ["3", "2"], "the records with one name")
        // A page continues after the last row of the previous page, whatever its time.
        var paged: [TrashRow] = []
        var page = try database.trash(limit: 3)
        while !page.isEmpty {
            paged += page
            page = try database.trash(after: paged.last?.position, limit: 3)
        }
        try expectEqual(paged, try database.trash(), "what all pages of three hold")
        try await zone.commit([.save("task", type: TestTenant.task)])
        try await zone.commit([.discard("task")], at: 25)
        try expectEqual(try database.trash(type: TestTenant.task).map(\.record.name), ["task"], "those of a type")
        try expectEqual(try database.trash("task", type: TestTenant.note), [], "those of another type under a name")
        try expectEqual(try database.trash("c"), [], "the records with an unused name")
        try expectEqual(try await tenant.person(1).trash(), [], "the trash of another database")
    }

    static let restoredRecords = StorageCase(
        "a restored record is removed from the trash; one whose restoration fails stays there"
    ) { tenant in
        let zone = tenant.publicDatabase.defaultZone
        let saved = try await zone.save("a", "{}")
        try await zone.commit([.discard("a")], at: 10)
        let restoration = Restoration(database: zone.database, zone: zone.name, name: "a")
        try await expectFailure(Refused.conflict, "a rejected restoration") {
            try await zone.database.store.commit(restoration.reading) { reading -> Decision<Void> in
                _ = try restoration.decide(reading)
                throw Refused.conflict
            }
        }
        try expectEqual(try zone.database.trash().count, 1, "the trash after a failure")
        let restored = try unwrap(try await zone.restore("a"), "the restored record")
        try expectEqual(try zone.record("a"), restored, "the record")
        try expectEqual(restored.fields, saved.fields, "its fields")
        try expectEqual(try zone.feed().changes, [.record(restored)], "the feed")
        try expectEqual(try zone.database.trash(), [], "the trash")
        try expectEqual(try await zone.restore("a"), nil, "a second restoration")
        try await zone.commit([.discard("a")], at: 20)
        try await zone.giveUp("a")
        try expectEqual(try zone.database.trash(), [], "the trash after the record was removed")
        try expectEqual(try zone.database.head().trash, 0, "the count in the head")
    }

    static let takenTwice = StorageCase(
        "a record that two people restore concurrently is restored once"
    ) { tenant in
        let zone = tenant.publicDatabase.defaultZone
        let other = zone.through(try tenant.secondEngine())
        let names = (0..<20).map { Name("record \($0)") }
        try await zone.commit(names.map { .save($0) })
        try await zone.commit(names.map { .discard($0) }, at: 10)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for name in names {
                group.addTask { try await zone.restore(name) }
                group.addTask { try await other.restore(name) }
            }
            try await group.waitForAll()
        }
        try expectEqual(try zone.database.head().records, 20, "records")
        try expectEqual(try zone.database.trash(), [], "the trash")
        // A row that was read before it was removed is not removed again.
        try await zone.commit([.discard("record 1")], at: 10)
        let row = try zone.database.trash()[0]
        try await zone.giveUp("record 1")
        var failed = false
        do {
            var set = ReadSet()
            set.databases = [zone.database.number]
            try await zone.database.store.commit(set) { _ -> Decision<Void> in
                var writes = WriteSet()
                writes.takenFromTrash = [row]
                return .write(writes, ())
            }
        } catch is StorageError {
            failed = true
        }
        try expect(failed, "a missing row was removed from the trash")
    }

    static let purgeOfTrash = StorageCase(
        "the trash is emptied in chunks, of records before a given time, in all databases"
    ) { tenant in
        let databases = [tenant.publicDatabase, try await tenant.person(1)]
        for database in databases {
            let names = (0..<10).map { Name("record \($0)") }
            try await database.defaultZone.commit(names.map { .save($0) })
            for (index, name) in names.enumerated() {
                try await database.defaultZone.commit([.discard(name)], at: Milliseconds(index + 1))
            }
        }
        func count() throws -> Int64 { try databases.reduce(0) { $0 + (try $1.head().trash) } }
        var left = try count()
        while try await tenant.store.purgeTrash(deletedBefore: 8, rows: 3, at: 1) {
            let now = try count()
            try expect(now < left && left - now <= 3, "one step of 3 rows removed \(left - now)")
            left = now
            try tenant.expectNothingFound()
        }
        for database in databases {
            try expectEqual(try database.trash().map(\.deletedAt), [10, 9, 8], "what is left in \(database.number)")
        }
        try expectEqual(
            try await tenant.store.purgeTrash(deletedBefore: 8, rows: 3, at: 1), false, "whether there is more")
    }
}
