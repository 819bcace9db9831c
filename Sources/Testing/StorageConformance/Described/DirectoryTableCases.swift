import NephosStorage

extension TableCase {
    static let directories: [TableCase] = [shelves, refusals, everyWriter, directoryDamage]

    static let shelves = TableCase(
        "rows of the installation are returned, can be changed if they are unchanged since they were read, and are stored sealed"
    ) {
        tenant, tables in
        let directory = tenant.engine.directory
        let rows = [("b", 1), ("a", 2)].map { ScratchShelf(name: $0, rank: $1, secret: Secret([7, 7, 7])) }
        try directory.put(rows)
        try tenant.restart()
        let again = tenant.engine.directory
        try expectEqual(try again.rows(ScratchShelf.all), rows, "all of them")
        try expectEqual(try again.rows(ScratchShelf.keyed("a")), [rows[1]], "one of them")
        try expectEqual(
            try again.rows(ScratchShelf.all).map(\.secret.bytes), [[7, 7, 7], [7, 7, 7]], "their secrets")
        try again.change("a") { $0.rank = 5 }
        try expectEqual(try again.rows(ScratchShelf.all).map(\.rank), [1, 5], "a changed one")
        try await expectStorageError("a row that changed since it was read") {
            var writes = WriteSet()
            writes.remove(rows[1])
            _ = try again.write(writes)
        }
        try expectEqual(try tenant.engine.checkDirectory(), [], "the check")
        let shelf = try unwrap(try again.rows(ScratchShelf.keyed("b")).first, "a row")
        var writes = WriteSet()
        writes.remove(shelf)
        try again.write(writes)
        try expectEqual(try again.rows(ScratchShelf.all).map(\.name), ["a"], "what is left")
        try expectEqual(try tenant.engine.checkDirectory(), [], "the check after one was removed")
    }

    static let refusals = TableCase("a decision of the directory can request more, and leaves nothing when it throws") {
        tenant, _ in
        let directory = tenant.engine.directory
        try directory.put([ScratchShelf(name: "a", rank: 1, secret: Secret([]))])
        var set = ReadSet()
        set.ask(ScratchShelf.keyed("a"))
        let found = try directory.commit(set) { reading -> Decision<Int> in
            guard let others = reading.rows(of: ScratchShelf.all) else {
                var more = ReadSet()
                more.ask(ScratchShelf.all)
                return .need(more)
            }
            return .write(WriteSet(), others.count + reading[ScratchShelf.keyed("a")].count)
        }
        try expectEqual(found, 2, "the first request, and the second")
        struct Refused: Error {}
        let error = await outcome {
            _ = try directory.commit(set) { _ -> Decision<Void> in throw Refused() }
        }
        try expect(error is Refused, "the decision's error was reported as \(String(describing: error))")
        var records = ReadSet()
        records.databases = [1]
        try await expectStorageError("a read of a database") { _ = try directory.read(records) }
        try await expectStorageError("a write of a record's head") {
            var writes = WriteSet()
            writes.heads = [HeadRow(database: 1, kind: .publicLane, owner: nil)]
            try directory.write(writes)
        }
        try expectEqual(try directory.rows(ScratchShelf.all).count, 1, "what is there")
    }

    static let everyWriter = TableCase("concurrent writes of several engines to the directory are each counted once") {
        tenant, _ in
        let other = try tenant.secondEngine().engine
        try tenant.engine.directory.put([ScratchShelf(name: "sum", rank: 0, secret: Secret([]))])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                let engine = writer.isMultiple(of: 2) ? tenant.engine : other
                group.addTask {
                    for _ in 0..<5 {
                        let directory = engine.directory
                        try directory.change("sum") { $0.rank += 1 }
                    }
                }
            }
            try await group.waitForAll()
        }
        try expectEqual(try other.directory.rows(ScratchShelf.all).map(\.rank), [40], "the sum")
        try expectEqual(try other.checkDirectory(), [], "the check")
    }

    static let directoryDamage = TableCase(
        "check finds changed, added and removed rows of a table of the installation"
    ) {
        tenant, tables in
        let directory = tenant.engine.directory
        try directory.put([1, 2].map { ScratchShelf(name: "\($0)", rank: $0, secret: Secret([1])) })
        let changes = [
            "UPDATE scratch_shelves SET rank = 9 WHERE name = '1'", "DELETE FROM scratch_shelves WHERE name = '2'",
            "INSERT INTO scratch_shelves SELECT '3', 3, secret, checksum FROM kept_shelves WHERE name = '2'",
        ]
        try tables.run(["CREATE TABLE kept_shelves AS SELECT * FROM scratch_shelves"], in: .directory)
        for change in changes {
            try tables.run([change], in: .directory)
            try expect(try !tenant.engine.checkDirectory().isEmpty, change)
            try tables.run(
                ["DELETE FROM scratch_shelves", "INSERT INTO scratch_shelves SELECT * FROM kept_shelves"],
                in: .directory)
            try expectEqual(try tenant.engine.checkDirectory(), [], "the check afterwards")
        }
        try tables.run(["DROP TABLE kept_shelves"], in: .directory)
    }
}

extension DirectoryStore {
    fileprivate func put(_ rows: [ScratchShelf]) throws {
        var writes = WriteSet()
        for row in rows { writes.put(row) }
        try write(writes)
    }

    fileprivate func write(_ writes: WriteSet) throws {
        try commit(ReadSet()) { _ in .write(writes, ()) }
    }

    fileprivate func change(_ name: String, _ change: (inout ScratchShelf) -> Void) throws {
        let scan = ScratchShelf.keyed(name)
        var set = ReadSet()
        set.ask(scan)
        try commit(set) { reading in
            var writes = WriteSet()
            for old in reading[scan] {
                var new = old
                change(&new)
                writes.put(new, replacing: old)
            }
            return .write(writes, ())
        }
    }
}

private func expectStorageError(_ what: String, _ body: () throws -> Void) async throws {
    let error = await outcome(body)
    try expect(error is StorageError, "\(what) ended with \(String(describing: error))")
}
