import CloudKitWire
import NephosStorage

extension IndexUpkeepCase {
    private static let shapes = [IndexedTenant.byTitle, IndexedTenant.byName]

    static let clock = IndexUpkeepCase(
        "a chunk ends when its time has passed, however many rows it is allowed, and the next starts at the next record"
    ) { indexed in
        try await indexed.fill(20)
        try await indexed.database.open(shapes)
        for step in 1..<20 {
            try expectEqual(try await indexed.build(within: .zero), true, "whether there is more after \(step)")
            try indexed.expectBuilt([Int64(step), Int64(step)])
            try indexed.tenant.expectNothingFound()
        }
        try expectEqual(try await indexed.build(within: .zero), false, "whether there is more at the end")
        try indexed.expectStates([.ready, .ready])
        try indexed.expectEntries(40)
    }

    static let entriesAdded = IndexUpkeepCase("a chunk ends after a number of entries") { indexed in
        try await indexed.fill(600)
        try await indexed.database.open(shapes)
        try expectEqual(try await indexed.build(), true, "whether there is more")
        try indexed.expectBuilt([128, 128])
        try indexed.expectEntries(Int64(IndexChunk.entriesAdded))
    }

    static let clockOfClearing = IndexUpkeepCase(
        "clearing ends when its time has passed, and continues in the zone where it stopped"
    ) { indexed in
        try await indexed.fill(600)
        try await indexed.database.open(shapes)
        try await indexed.database.buildAll(rows: 1_000)
        try await indexed.dropFirst()
        try expectEqual(try await indexed.build(within: .zero), true, "whether there is more, with no time")
        try indexed.expectEntries(1_200 - Int64(IndexChunk.entriesRemovedAtOnce))
        try indexed.expectStates([.dropped, .ready])
        try expectEqual(try await indexed.build(rows: 100), true, "whether there is more after 100")
        try indexed.expectEntries(1_200 - Int64(IndexChunk.entriesRemovedAtOnce) - 100)
        while try await indexed.build(within: .zero) {}
        try indexed.expectEntries(600)
        try expectEqual(try indexed.database.indexes().map(\.shape), [IndexedTenant.byName], "what is left")
    }

    static let catchingUp = IndexUpkeepCase(
        "indexes that were opened one after the other share one walk once the last has caught up"
    ) { indexed in
        try await indexed.fill(10)
        try await indexed.database.open([IndexedTenant.byTitle])
        try expectEqual(try await indexed.build(rows: 4), true, "whether there is more")
        try await indexed.database.open([IndexedTenant.byName])
        var ends: [[RecordNumber]] = []
        while try await indexed.build(rows: 3) { ends.append(try indexed.database.indexes().map(\.builtTo)) }
        try expectEqual(ends, [[4, 3], [4, 4], [7, 7]], "the ends of the chunks")
        try indexed.expectStates([.ready, .ready])
    }

    static let nothingToPay = IndexUpkeepCase(
        "a write to a database without indexes reads no list of indexes, and otherwise the list is read once per version"
    ) { indexed in
        /// Renames tables while `work` runs, so that accessing them fails.
        func away(_ tables: [String], _ work: () async throws -> Void) async throws {
            try indexed.tables.run(tables.map { "ALTER TABLE \($0) RENAME TO away_\($0)" }, in: .tenant)
            try await work()
            try indexed.tables.run(tables.map { "ALTER TABLE away_\($0) RENAME TO \($0)" }, in: .tenant)
        }
        try await away(["indexes", "index_rows"]) {
            try await indexed.fill(2)
            try await indexed.fill(2)
            try await indexed.zone.delete("note 1")
        }
        try await indexed.database.open([IndexedTenant.byTitle])
        try await indexed.fill(2)
        try await away(["indexes"]) { try await indexed.fill(3) }
    }

    static let otherProcess = IndexUpkeepCase(
        "an index that another process opened is maintained from the next write on"
    ) { indexed in
        let other = indexed.database.through(try indexed.tenant.secondEngine())
        try await indexed.database.open([IndexedTenant.byName])
        try await indexed.fill(3)
        try await other.open([IndexedTenant.byTitle])
        try await indexed.zone.save("new", Card(title: "x").fields)
        try indexed.expectEntries(5)
        try await other.buildAll(rows: 1)
        try await indexed.dropFirst()
        try await other.defaultZone.save("newer", Card(title: "x").fields)
    }

    static let failedWrite = IndexUpkeepCase("a failed write leaves no entry") { indexed in
        try await indexed.database.open([IndexedTenant.byTitle])
        try await indexed.fill(1)
        let names: [Name] = ["new", "note 0"]
        do {
            try await indexed.store.commit(Notes.reading(names)) { reading in
                // As if the second one had not existed.
                var reading = reading
                reading.records = [.absent, .absent]
                return .write(try Notes.save(names, from: reading), ())
            }
            throw PromiseBroken("a record exists twice", file: #fileID, line: #line)
        } catch is StorageError {}
        try indexed.expectEntries(1)
    }
}

// MARK: Older forms

extension IndexUpkeepCase {
    static let olderForm = IndexUpkeepCase(
        "an index with an outdated shape blocks nothing, and is removed when another is opened"
    ) { indexed in
        try await indexed.fill(5)
        try await indexed.database.open(shapes)
        try await indexed.database.buildAll()
        let owner = indexed.tables.isOfTenant("indexes")
        let first = "index_no = (SELECT min(index_no) FROM indexes WHERE \(owner))"
        let shape = try indexed.tables.another("shape", of: "indexes")
        try indexed.tables.run(["UPDATE indexes SET shape = \(shape) WHERE \(owner) AND \(first)"], in: .tenant)
        let findings = try indexed.store.check { _, _ in }
        try expect(findings.contains { $0.table == "indexes" }, "the check finds nothing in an older form")
        let other = indexed.database.through(try indexed.tenant.secondEngine())
        try await other.defaultZone.save("new", Card(title: "x").fields)
        try expectEqual(try indexed.database.indexes().map(\.shape), [IndexedTenant.byName], "the readable entries")
        try await indexed.database.open([IndexedTenant.byTitle])
        try await indexed.database.buildAll()
        try expectEqual(
            try indexed.database.indexes().map(\.shape), [IndexedTenant.byName, IndexedTenant.byTitle], "the indexes")
    }

    static let olderFormBuilding = olderForm(
        "an index of an older form that is not built yet is cleared like a dropped one", .building)
    static let olderFormDropped = olderForm(
        "an index of an older form that is still being removed is removed completely", .dropped)

    private static func olderForm(_ name: String, _ state: IndexRow.State) -> IndexUpkeepCase {
        IndexUpkeepCase(name) { indexed in
            try await indexed.fill(5)
            try await indexed.database.open([IndexedTenant.byTitle])
            _ = try await indexed.build(rows: 3)
            let shape = indexed.tables.literal([0])
            let owner = indexed.tables.isOfTenant("indexes")
            try indexed.tables.run(
                ["UPDATE indexes SET shape = \(shape), state = \(state.rawValue) WHERE \(owner)"], in: .tenant)
            // One step to drop it, one to clear it.
            try expectEqual(try await indexed.build(anywhere: true), true, "whether there is more to do")
            try expectEqual(try await indexed.build(anywhere: true), false, "whether there is more after two steps")
            try indexed.expectEntries(0)
        }
    }
}
