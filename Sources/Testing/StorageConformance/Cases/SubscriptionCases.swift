import CloudKitWire
import NephosStorage

extension StorageCase {
    static let subscriptions: [StorageCase] = [
        subscriptionsAreListed, subscriptionsByAge, watchersAreCounted, changedTwice,
    ]

    static let subscriptionsAreListed = StorageCase(
        "a subscription is returned with every column, for its owner and in its database only, by name"
    ) { tenant in
        let (database, other) = (try await tenant.person(1), try await tenant.person(2))
        let names: [Name] = ["b", "a", "caf\u{E9}", "B"]
        var saved: [SubscriptionRow] = []
        for (name, kind) in zip(names, [SubscriptionRow.Kind.query, .zone, .database, .query]) {
            saved.append(try await database.subscribe(name, kind, #"{"subscriptionID":"\#(name)"}"#))
        }
        let theirs = try await other.subscribe("a")
        let publicly = try await TestDatabase(tenant: tenant, number: 1, user: other.user).subscribe("a")
        try tenant.restart()
        let expected = saved.sorted { $0.name < $1.name }
        try expectEqual(try database.subscriptions(), expected, "one person's")
        try expectEqual(try database.subscriptions(limit: 2), Array(expected.prefix(2)), "the first two")
        try expectEqual(try other.subscriptions(), [theirs], "another's")
        try expectEqual(try tenant.publicDatabase.rows(SubscriptionRow.of(other.user, in: 1)), [publicly], "in public")
        try expectEqual(
            try tenant.publicDatabase.rows(SubscriptionRow.of(database.user, in: 1)), [],
            "of a person without one in public")
    }

    static let subscriptionsByAge = StorageCase(
        "all subscriptions are listed in the order of their last save"
    ) { tenant in
        let people = [try await tenant.person(1), try await tenant.person(2)]
        let database = tenant.publicDatabase
        var rows: [SubscriptionRow] = []
        for (index, name) in ["a", "b", "a", "c", "a"].enumerated() {
            let person = TestDatabase(tenant: tenant, number: 1, user: people[index % 2].user)
            let row = try await person.subscribe(Name(name), .query, "\(index)")
            rows.removeAll { $0.user == row.user && $0.name == row.name }
            rows.append(row)
            try await database.defaultZone.save(Name("\(index)"))
        }
        try expectEqual(rows.count, 3, "how many there are")
        try expectEqual(try database.subscriptions(savedAfter: 0), rows, "all")
        try expectEqual(try database.subscriptions(savedAfter: rows[0].sequence, limit: 1), [rows[1]], "the second")
        try expectEqual(try database.subscriptions(savedAfter: rows[2].sequence), [], "after the last")
    }

    static let watchersAreCounted = StorageCase(
        "the head of a database counts its subscriptions, and its query subscriptions"
    ) { tenant in
        let database = try await tenant.person(1)
        try database.expectWatchers(0, 0)
        try await database.subscribe("a", .query)
        try await database.subscribe("b", .zone)
        try database.expectWatchers(2, 1)
        try await database.subscribe("b", .query)
        try database.expectWatchers(2, 2)
        try await database.unsubscribe("a")
        try database.expectWatchers(1, 1)
        try await database.subscribe("b", .database)
        try database.expectWatchers(1, 0)
        try await database.unsubscribe("b")
        try database.expectWatchers(0, 0)
        try expectEqual(try database.head().isWatched, false, "whether there are subscriptions")
    }

    static let changedTwice = StorageCase(
        "a subscription that changed since it was read is neither changed nor removed"
    ) { tenant in
        let database = try await tenant.person(1)
        let old = try await database.subscribe("a", .zone, "1")
        let new = try await database.subscribe("a", .query, "2")
        for next in [nil, old] {
            var set = ReadSet()
            set.databases = [database.number]
            do {
                try await tenant.store.commit(set) { reading in
                    var writes = WriteSet()
                    writes.heads = reading.databases.compactMap { $0 }
                    if let next { writes.put(next, replacing: old) } else { writes.remove(old) }
                    return .write(writes, ())
                }
                throw PromiseBroken("a change of a removed subscription succeeded", file: #fileID, line: #line)
            } catch is StorageError {}
        }
        try expectEqual(try database.subscriptions(), [new], "the subscriptions")
    }
}

extension TestDatabase {
    fileprivate func expectWatchers(_ subscriptions: Int64, _ queries: Int64, line: Int = #line) throws {
        let watchers = try head().watchers
        try expectEqual(
            [watchers.subscriptions, watchers.queries], [subscriptions, queries], "the subscribers", line: line)
    }
}
