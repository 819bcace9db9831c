import NephosStorage

extension TableCase {
    static let faults: [TableCase] = [rowFaults, shelfFaults]

    static let rowFaults = TableCase("a commit that fails at any of its rows leaves none of them") {
        tenant, tables in
        let hand = try await ScratchWork(tenant).hands[0]
        try await hand.writeRows(5)
        let before = try hand.state()
        // The sixth step creates, changes and removes one row each, with their parts, and a record.
        let names = Set(StoredPlace.tenant.keys.keys).union(TableCase.tables.added.map { $0.table.name })
        let rows = try await tables.walk(through: names.sorted(), in: .tenant) {
            try await hand.writeRows(6)
        } afterFault: { row in
            try expectEqual(try hand.state(), before, "what is there after a fault at row \(row)")
            try tenant.expectNothingFound()
        }
        try expectEqual(try hand.state(), hand.state(after: 6), "what is there at the end")
        try expectEqual(rows, 11, "rows that were written")
    }

    static let shelfFaults = TableCase("a commit of the directory that fails at any of its rows leaves none of them") {
        tenant, tables in
        let hand = try await ScratchWork(tenant).hands[0]
        try hand.writeShelf(1)
        let rows = try await tables.walk(through: ["meta", "scratch_shelves"], in: .directory) {
            try hand.writeShelf(2)
        } afterFault: { row in
            try expectEqual(try hand.shelf(), hand.shelf(after: 1), "what is there after a fault at row \(row)")
            try expectEqual(try tenant.engine.checkDirectory(), [], "the check after a fault at row \(row)")
        }
        try expectEqual(try hand.shelf(), hand.shelf(after: 2), "what is there at the end")
        try expectEqual(rows, 2, "rows that were written: a shelf, and the digest")
    }
}

extension StoredTables {
    /// Makes a commit fail at the first row that it writes to any of these tables, then at the second, until it succeeds.
    ///
    /// - Returns: The number of rows that it writes.
    fileprivate func walk(
        through names: [String], in place: StoredPlace, _ commit: () async throws -> Void,
        afterFault: (Int) throws -> Void
    ) async throws -> Int {
        let start = ["CREATE TABLE faults (rest bigint NOT NULL)", "INSERT INTO faults VALUES (0)"]
        try run(start + names.flatMap(failing), in: place)
        for row in 0..<99 {
            try run(["UPDATE faults SET rest = \(row)"], in: place)
            guard let error = await outcome(commit) else { return row }
            try expect(error is StorageError, "a fault at row \(row) ended with \(error)")
            try afterFault(row)
        }
        throw PromiseBroken("it does not end after 99 faults", file: #fileID, line: #line)
    }
}
