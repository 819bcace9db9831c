import CloudKitWire
import NephosStorage

extension StorageCase {
    static let people: [StorageCase] = [removedPerson, nobodysTrash]

    static let removedPerson = StorageCase(
        "a person is removed with the head of their database once nothing else of it is left, and not before"
    ) { tenant in
        let (one, two) = (try await tenant.person(1), try await tenant.person(2))
        try await one.defaultZone.save("a")
        let first = try unwrap(try one.owner(), "the first user")
        let second = try unwrap(try two.owner(), "the second user")
        let isTooEarly = try await tenant.store.removePerson(first, at: 5)
        try expect(!isTooEarly, "a person with a record was removed")
        try expectEqual(try one.owner(), first, "the first user")
        try expectEqual(try one.head().records, 1, "the records of the first")
        let isRemoved = try await tenant.store.removePerson(second, at: 6)
        try expect(isRemoved, "a person with nothing was not removed")
        try expectEqual(try two.owner(), nil, "the second user")
        var set = ReadSet()
        set.databases = [two.number]
        try expectEqual(try tenant.store.read(set).databases[0], nil, "the head of the second")
        try expectEqual(
            try tenant.store.rows(Scan<LeftDatabaseRow>(limit: 9)), [LeftDatabaseRow(number: two.number, leftAt: 6)],
            "what is left")
        try expectEqual(try tenant.store.check { _, _ in }, [], "the findings of check")
        // The next user gets another number.
        let third = try await tenant.person(3)
        try expect(third.number > two.number, "a number was assigned twice")
    }
}

extension StorageCase {
    static let nobodysTrash = StorageCase("a record in the trash no longer names a person who left") { tenant in
        let zone = tenant.publicDatabase.defaultZone
        try await zone.commit([.save("a", #"{"text":"x"}"#), .save("b")])
        try await zone.commit([.discard("a"), .discard("b")], at: 50)
        let rows = try zone.database.trash()
        var set = ReadSet()
        set.databases = [zone.database.number]
        try await tenant.store.commit(set) { _ in
            var writes = WriteSet()
            for row in rows {
                var nobodys = row
                nobodys.deletedBy = nil
                writes.put(nobodys, replacing: row)
            }
            return .write(writes, ())
        }
        let left = try zone.database.trash()
        try expectEqual(left.map(\.record), rows.map(\.record), "the records")
        try expect(left.count == 2 && left.allSatisfy { $0.deletedBy == nil }, "who has deleted them: \(left)")
        try expectEqual(try tenant.store.check { _, _ in }, [], "the findings of check")
        let restored = try await zone.restore("a")
        try expect(restored != nil, "one of them is not restored")
    }
}

extension TestDatabase {
    fileprivate func owner() throws -> UserRow? { try store.rows(UserRow.keyed([user])).first }
}
