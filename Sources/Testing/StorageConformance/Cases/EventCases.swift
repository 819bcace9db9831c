import CloudKitWire
import NephosStorage

extension StorageCase {
    static let events: [StorageCase] = [
        eventsAreCounted, eventsInOrder, eventsWithRecords, eventsOfOneName, eventsOfDeadZones, eventsOfRestored,
        eventPages, eventsAreTold, toldTwice,
    ]

    static let eventsAreCounted = StorageCase(
        "change events are written with their change while a subscription exists, and counted"
    ) { tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        try await zone.save("unwatched")
        try expectEqual(try zone.database.head().events, 0, "events of a database without subscriptions")
        try await zone.database.subscribe("a")
        try await zone.commit([.save("a"), .save("b"), .delete("unwatched")])
        try expectEqual(try zone.database.head().events, 3, "events of three watched changes")
        try await zone.database.unsubscribe("a")
        try await zone.save("unwatched")
        try expectEqual(try zone.database.head().events, 3, "events after the last subscription was removed")
    }

    static let eventsInOrder = StorageCase(
        "events are in the order of the changes, of one database or of all starting at one"
    ) { tenant in
        let (first, second) = (try await tenant.person(1), try await tenant.person(2))
        for database in [second, first] {
            try await database.subscribe("a")
            try await database.defaultZone.commit([.save("a"), .save("b")])
            try await database.defaultZone.commit([.delete("a"), .save("b")])
        }
        func oldest(from database: DatabaseNumber, _ limit: Int) throws -> [DatabaseNumber] {
            try tenant.store.rows(ChangeEventRow.oldest(from: database, limit: limit)).map(\.database)
        }
        let numbers = [first, second].flatMap { Array(repeating: $0.number, count: 4) }
        try expectEqual(try oldest(from: 1, 9), numbers, "the databases of all")
        try expectEqual(try oldest(from: first.number, 5), Array(numbers.prefix(5)), "those of the first five")
        try expectEqual(try oldest(from: second.number, 9), Array(numbers.suffix(4)), "those from the second on")
        try expectEqual(try oldest(from: second.number + 1, 9), [], "those after the last database")
        try expectEqual(try tenant.publicDatabase.events(), [], "the events of a database that has none")
        let events = try first.events().map(\.event)
        try expectEqual(events.map(\.name), ["a", "b", "a", "b"], "the names")
        try expectEqual(events.map(\.kind), [.created, .created, .deleted, .updated], "the kinds")
        try expectEqual(events.map(\.sequence), events.map(\.sequence).sorted(), "the sequences, ascending")
        try expectEqual(
            try second.events().map(\.event.database), Array(repeating: second.number, count: 4), "the second")
        try expect(try second.events().allSatisfy { $0.record == nil }, "a record is kept without a query subscription")
        let beyond = TestDatabase(tenant: tenant, number: second.number + 1, user: second.user)
        try expectEqual(try beyond.events(), [], "events of a missing database")
    }

    static let eventsWithRecords = StorageCase(
        "for a query subscription an event has its record: as it was saved, or as it was before its deletion"
    ) { tenant in
        let zone = try await tenant.person(1).defaultZone
        try await zone.database.subscribe("a", .query)
        let references = [ReferenceTarget(target: "b", kind: .parent)]
        let first = try await zone.commit([
            .save("a", #"{"n":1}"#, type: TestTenant.task, references: references), .save("b"),
        ])
        let second = try await zone.commit([.save("a", #"{"n":2}"#)])
        try await zone.delete("a")
        try await zone.save("a", #"{"n":3}"#)
        try tenant.restart()
        let changes = try zone.database.events()
        try expectEqual(changes.map(\.event.kind), [.created, .created, .updated, .deleted, .created], "the kinds")
        let third = try unwrap(try zone.record("a"), "the record")
        try expectEqual(changes.map(\.record), [first[0], first[1], second[0], second[0], third], "the records")
    }

    static let eventsOfOneName = StorageCase(
        "when a name is deleted and saved again in one commit, each event has its own record"
    ) { tenant in
        let zone = try await tenant.person(1).defaultZone
        try await zone.database.subscribe("a", .query)
        let old = try await zone.save("a", #"{"n":1}"#)
        let deletion = Batch(database: zone.database, zone: zone.name, changes: [.delete("a")], time: 1)
        try await tenant.store.commit(deletion.reading) { reading -> Decision<Void> in
            var writes = try deletion.writes(reading)
            var new = old
            writes.heads[0].sequence += 1
            writes.heads[0].recordNumber += 1
            (new.number, new.sequence) = (writes.heads[0].recordNumber, writes.heads[0].sequence)
            (new.tagSequence, new.fields) = (new.sequence, Bytes(#"{"n":2}"#))
            writes.zones[0].new.changedSequence = new.sequence
            writes.records = [RecordWrite(old: nil, new: new, references: [])]
            writes.events.append(
                ChangeEventRow(
                    database: new.database, sequence: new.sequence, zone: new.zone, name: "a", kind: .created))
            return .write(writes, ())
        }
        let changes = try zone.database.events()
        let new = try unwrap(try zone.record("a"), "the record")
        try expectEqual(changes.map(\.event.kind), [.created, .deleted, .created], "the kinds")
        try expectEqual(changes.map(\.record), [old, old, new], "the records")
    }

    static let eventsOfDeadZones = StorageCase(
        "records of a deleted zone stay until everybody was notified, and are then swept"
    ) { tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        try await zone.database.subscribe("a", .query)
        let rows = try await zone.commit([.save("a", #"{"n":1}"#), .save("b")])
        try await zone.database.deleteZone("Notes")
        try await tenant.sweepAll()
        let changes = try zone.database.events()
        try expectEqual(changes.prefix(2).map(\.record), rows, "the records of a deleted zone")
        try expectEqual(try zone.database.head().records, 2, "the records that wait for the sweep")
        try await zone.database.markNotified(changes.map(\.event))
        try await tenant.sweepAll()
        try expectEqual(try zone.database.head().records, 0, "the records after the sweep")
    }

    static let eventsOfRestored = StorageCase(
        "a record that is saved, deleted to the trash and saved again leaves an event for each state"
    ) { tenant in
        let person = try await tenant.person(1)
        let zone = TestDatabase(tenant: tenant, number: 1, user: person.user).defaultZone
        try await zone.database.subscribe("a", .query)
        let first = try await zone.save("a", #"{"n":1}"#)
        let second = try await zone.save("a", #"{"n":2}"#)
        try await zone.commit([.discard("a")])
        let third = try await zone.save("a", #"{"n":3}"#)
        let changes = try zone.database.events()
        try expectEqual(changes.map(\.event.kind), [.created, .updated, .deleted, .created], "the kinds")
        try expectEqual(changes.map(\.record), [first, second, second, third], "the records")
        for change in changes { try await zone.database.markNotified([change.event]) }
        try expectEqual(try await zone.save("a", #"{"n":4}"#).number, third.number, "the number of the next state")
        try expectEqual(try zone.database.events().map(\.event.kind), [.updated], "the kinds of what is left")
    }

    static let eventPages = StorageCase(
        "a page of events ends at its bound, and with the record that fills it"
    ) { tenant in
        let zone = try await tenant.person(1).defaultZone
        try await zone.database.subscribe("a", .query)
        let text = String(repeating: "x", count: 1_000)
        try await zone.commit((0..<5).map { .save(Name("\($0)"), #"{"t":"\#(text)"}"#) })
        func names(_ changes: [WatchedChange]) -> [Name] { changes.map(\.event.name) }
        try expectEqual(names(try zone.database.events(limit: 2)), ["0", "1"], "the first two")
        try expectEqual(names(try zone.database.events(byteLimit: 2_500)), ["0", "1", "2"], "those of 2,500 bytes")
        try expectEqual(names(try zone.database.events(byteLimit: 0)), ["0"], "the first alone")
    }

    static let eventsAreTold = StorageCase(
        "an event records who was notified, and is removed with its record when all were"
    ) { tenant in
        let zone = try await tenant.person(1).defaultZone
        try await zone.database.subscribe("a", .query)
        try await zone.commit([.save("a"), .save("b")])
        try await zone.delete("a")
        let all = try zone.database.events()
        try await zone.database.markNotified([all[0].event])
        try await zone.database.markNotified([all[1].event], to: 1)
        let left = try zone.database.events()
        try expectEqual(left.map(\.event.name), ["b", "a"], "what is left")
        try expectEqual(left.map(\.event.notifiedTo), [1, 0], "who was notified")
        try expectEqual(left.map(\.record), [all[1].record, all[2].record], "the records that are left")
        try await zone.database.markNotified(left.map(\.event))
        try expectEqual(try zone.database.events(), [], "what is left at last")
        try expectEqual(try zone.database.head().events, 0, "what the head counts")
    }

    static let toldTwice = StorageCase("an event that changed since it was read is not announced") { tenant in
        let zone = try await tenant.person(1).defaultZone
        try await zone.database.subscribe("a")
        try await zone.save("a")
        let event = try zone.database.events()[0].event
        try await zone.database.markNotified([event], to: 3)
        for sequence in [nil, 2] as [Sequence?] {
            do {
                try await zone.database.markNotified([event], to: sequence)
                throw PromiseBroken("an event was announced from an outdated position", file: #fileID, line: #line)
            } catch is StorageError {}
        }
        try expectEqual(try zone.database.events().map(\.event.notifiedTo), [3], "who was notified")
    }
}
