import CloudKitWire
import NephosStorage
import Synchronization

extension StorageCase {
    static let commitWithReRun = StorageCase(
        "a decision that requests more is called again with that after what it had, and is written once"
    ) { tenant in
        let zone = tenant.publicDatabase.defaultZone
        try await zone.commit([.save("a", "b"), .save("b", "c"), .save("c", "")])
        let before = try zone.database.head().sequence
        let seen = Mutex<[Int]>([])
        let batch = Batch(database: zone.database, zone: zone.name, changes: [.save("a", "done")], time: 1)
        let walked = try await tenant.store.commit(batch.reading) { reading -> Decision<[Name]> in
            seen.withLock { $0.append(reading.records.count) }
            // Each record's fields name the next one: a chain that cannot be read in one request.
            guard case .record(let last)? = reading.records.last else { throw Refused.conflict }
            if !last.fields.isEmpty {
                var more = ReadSet()
                more.records = [RecordKey(zone: zone.key, name: Name(bytes: last.fields))]
                return .need(more)
            }
            var names: [Name] = []
            for case .record(let row) in reading.records { names.append(row.name) }
            guard case .write(let writes, _) = try batch.decide(reading) else { throw Refused.conflict }
            return .write(writes, names)
        }
        try expectEqual(walked, ["a", "b", "c"], "the records that the decision saw, in the order it asked for them")
        try expectEqual(Array(seen.withLock { $0 }.suffix(3)), [1, 2, 3], "records seen by call after call")
        try expectEqual(try zone.record("a")?.fields.text, "done", "the record that was decided on last")
        try expectEqual(try zone.database.head().sequence, before + 1, "the sequence after one change")
    }

    static let feedOrderWithTwoWriters = StorageCase(
        "a reader that follows the feed while two engines write misses no change"
    ) { tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        let other = zone.through(try tenant.secondEngine())
        let writers = Countdown(2)
        async let one: Void = write("one", in: zone, rounds: 60, done: writers)
        async let two: Void = write("two", in: other, rounds: 60, done: writers)
        var follower = Follower(zone: zone)
        while !writers.isOver {
            try follower.readPage(limit: 3)
            await Task.yield()
        }
        _ = try await (one, two)
        while try follower.readPage(limit: 3) {}
        try expectEqual(
            follower.content, try Follower.everything(in: zone), "the zone as the follower reconstructed it")
        try expectEqual(follower.content.count, 2 * 20, "records of two writers that delete every third of theirs")
    }

    static let conflict = StorageCase(
        "of two saves based on the same state one succeeds, and the other's error writes nothing"
    ) { tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        for round in 0..<20 {
            let name = Name("note \(round)")
            let first = try await zone.save(name, "first")
            let (x, y, tag) = (Name("x\(round)"), Name("y\(round)"), first.tagSequence)
            async let one = outcome { try await zone.commit([.save(x), .save(name, "1", tag: tag)]) }
            async let two = outcome { try await zone.commit([.save(y), .save(name, "2", tag: tag)]) }
            let failures = await [one, two]
            try expectEqual(failures.filter { $0 == nil }.count, 1, "successful saves")
            try expectEqual(failures.compactMap { $0 as? Refused }, [.conflict], "the error of the other save")
            let oneWon = failures[0] == nil
            try expectEqual(try zone.record(name)?.fields.text, oneWon ? "1" : "2", "the record of the successful save")
            try expectEqual(try zone.record(oneWon ? y : x), nil, "a record of the failed commit")
            try expectEqual(try zone.database.head().sequence, first.sequence + 2, "the sequence")
        }
    }

    static let cascade = StorageCase(
        "a cascade returns every chain, fork and cycle of owners, each edge once"
    ) { tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        try await zone.commit([
            .save("root"), .save("a", ownedBy: "root"), .save("b", ownedBy: "a"), .save("c", ownedBy: "b"),
            // A fork that joins again, and a cycle back to the root.
            .save("d", ownedBy: "a"), .save("e", ownedBy: "c"),
            .save("e2", ownedBy: "d"), .save("f", ownedBy: "f"), .save("bystander", ownedBy: "elsewhere"),
        ])
        try await zone.commit([.save("root", ownedBy: "c")])
        let edges = try zone.cascade(["root"])
        try expectEqual(
            Set(edges.map { "\($0.target)<\($0.record.name)" }),
            ["root<a", "a<b", "a<d", "b<c", "c<root", "c<e", "d<e2"], "the edges below the root")
        try expectEqual(edges.count, 7, "edges, each once")
        try expectEqual(try zone.cascade(["f"]).map(\.record.name), ["f"], "a record that owns itself")
        try expectEqual(try zone.cascade(["nobody"]), [], "the cascade of a record nobody names")
        try expectEqual(try zone.cascade(["root"], limit: 3).count, 3, "edges up to a limit")
        let reached = Set(edges.map(\.record.name))
        try await zone.commit(reached.sorted().map { .delete($0) })
        try expectEqual(Set(try zone.feed().changes.compactMap(\.recordName)), ["f", "bystander"], "what is left")
        try expectEqual(try zone.cascade(["root"]), [], "the cascade after it was completed")
    }

    static let zoneRecreation = StorageCase(
        "a zone that is deleted and created again is a new incarnation, empty and with its own feed"
    ) { tenant in
        let database = try await tenant.person(1)
        let zone = try await database.createZone("Notes")
        try await zone.commit([.save("a", ownedBy: "b"), .save("b")])
        try await zone.delete("b")
        let first = try unwrap(try zone.row(), "the zone")
        try await database.deleteZone("Notes")
        try expectEqual(try zone.row(), nil, "the live zone after its deletion")
        try expectEqual(try zone.found(["a"]), [.absent], "a record of a deleted zone")
        try expectEqual(try zone.feed().changes, [], "the feed of a deleted zone")
        try await database.createZone("Notes")
        let second = try unwrap(try zone.row(), "the zone created again")
        try expect(second.number > first.number, "zone number \(second.number) was assigned before")
        try expect(second.createdSequence > first.changedSequence, "the new zone is older than the old one's end")
        try expectEqual(try zone.feed().changes, [], "the feed of the new zone")
        try expectEqual(try zone.referrers("b", .deleteSelf), [], "references to records of the new zone")
        let saved = try await zone.save("a", "new")
        try expectEqual(try zone.feed().changes, [.record(saved)], "the feed of the new zone after one save")
        try expectEqual(
            try database.zoneRow(.number(database.number, first.number))?.state, .dead, "the old incarnation")
        try await tenant.sweepAll(rows: 1)
        try expectEqual(
            try database.zoneRow(.number(database.number, first.number))?.state, .swept, "the old one, swept")
        try expectEqual(try zone.feed().changes, [.record(saved)], "the feed of the new zone after the sweep")
    }

    static let oneFieldTwoTypes = StorageCase(
        "when two databases give one new field different types, the second decision sees the first one's catalog"
    ) { tenant in
        let one = try await tenant.person(1).defaultZone
        let two = try await tenant.person(2).defaultZone.through(try tenant.secondEngine())
        for round in 0..<20 {
            let field = Name("field \(round)")
            let version = try tenant.catalog().version
            async let first = outcome { try await one.save(field, withNewField: field, of: .string) }
            async let second = outcome { try await two.save(field, withNewField: field, of: .int64) }
            let failures = await [first, second]
            let oneWon = failures[0] == nil
            try expectEqual(
                failures.map { $0 as? Refused }, oneWon ? [nil, .wrongType(.string)] : [.wrongType(.int64), nil],
                "the outcomes of two first saves")
            let catalog = try tenant.catalog()
            try expectEqual(
                catalog.types["Note"]?.fields[field]?.kind, oneWon ? .string : .int64, "the type of the field")
            try expectEqual(catalog.version, version + 1, "the version of the catalog")
            try expectEqual(try (oneWon ? two : one).record(field), nil, "the record of the failed save")
        }
    }
}

/// Why `work` failed; nil if it succeeded.
func outcome<Answer>(_ work: () async throws -> Answer) async -> (any Error)? {
    do {
        _ = try await work()
        return nil
    } catch {
        return error
    }
}

/// The number of writers still working.
private final class Countdown: Sendable {
    private let left: Mutex<Int>
    init(_ count: Int) { left = Mutex(count) }
    var isOver: Bool { left.withLock { $0 == 0 } }
    func step() { left.withLock { $0 -= 1 } }
}

/// Saves `rounds` records, each in its own commit; of three, one is changed and kept and two are deleted.
private func write(_ writer: String, in zone: TestZone, rounds: Int, done: Countdown) async throws {
    defer { done.step() }
    let names = (0..<rounds).map { Name("\(writer) \($0)") }
    for round in 0..<rounds {
        try await zone.save(names[round])
        if round % 3 == 1 { try await zone.save(names[round - 1], "changed") }
        if round % 3 == 2 { try await zone.commit([.delete(names[round]), .delete(names[round - 1])]) }
    }
}

extension TestZone {
    /// Saves a record, and declares a field of type `kind` with it if the schema does not contain it.
    fileprivate func save(_ record: Name, withNewField field: Name, of kind: FieldType) async throws {
        let batch = Batch(database: database, zone: name, changes: [.save(record)], time: 1)
        try await database.store.commit(batch.reading) { reading -> Decision<Void> in
            guard case .write(var writes, _) = try batch.decide(reading) else { throw Refused.conflict }
            if let known = reading.catalog.types["Note"]?.fields[field] {
                guard known.kind == kind else { throw Refused.wrongType(known.kind) }
            } else {
                writes.catalog = [CatalogWrite(new: .field(FieldRow(type: TestTenant.note, name: field, kind: kind)))]
            }
            return .write(writes, ())
        }
    }
}
