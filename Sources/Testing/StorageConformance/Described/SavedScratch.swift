package import NephosStorage

/// Stores with described rows that an earlier build wrote: a number of steps of each hand of a ``ScratchWork``, by `nephos-writer
/// scratch`. Each engine has one in its original state.
package enum SavedScratch {
    private static let steps: Int64 = 6

    /// Opens it as a server without these tables does, as the build that wrote it does, and as a later one does.
    ///
    /// - Parameter open: Opens an engine that knows the given tables.
    /// - Throws: ``PromiseBroken``, or an unexpected error of the engine.
    package static func check(_ open: @escaping @Sendable (TableSet) throws -> any StorageEngine) async throws {
        try await with(open, .server) { try expectSound($0, "a build without the tables") }
        let work = try await ScratchWork { try open(TableCase.tables) }
        defer { work.close() }
        for hand in work.hands {
            try expectEqual(try hand.state(), hand.state(after: steps), "what hand \(hand.number) wrote")
            try expectEqual(try hand.shelf(), hand.shelf(after: steps), "the shelf of hand \(hand.number)")
        }
        try await work.go(on: 0, steps: 1) { _ in }
        var known = work.hands.map { _ in ScratchWork.Known() }
        for hand in known.indices { known[hand].acknowledge(steps + (hand == 0 ? 1 : 0)) }
        try expectEqual(try work.faults(&known), [], "what is wrong after one more step")
        try await with(open, later, readByALaterBuild)
    }

    private static let later = TableSet(adding: [
        ScratchPart.self, ScratchRow.self, ScratchBadge.self, LaterScratchNote.self, ScratchShelf.self,
    ])

    @Sendable private static func readByALaterBuild(_ engine: any StorageEngine) async throws {
        let store = try unwrap(try engine.open(.conformance), "the tenant")
        let scan = Scan<LaterScratchNote>(by: "scratch_notes_by_rank", above: [.int(-1)], limit: 9)
        var set = ReadSet()
        set.ask(scan)
        let notes = try store.rows(scan)
        try expectEqual(notes.map(\.rank), Array(repeating: 0, count: ScratchWork.hands), "ranks of earlier notes")
        try await store.commit(set) { reading in
            var writes = WriteSet()
            for old in reading[scan].prefix(1) {
                var new = old
                new.rank = 7
                writes.put(new, replacing: old)
            }
            return .write(writes, ())
        }
        try expectEqual(try store.rows(scan).last?.name, notes.first?.name, "the note that got a rank")
        try expectSound(engine, "a later build")
    }

    private static func expectSound(_ engine: any StorageEngine, _ who: String) throws {
        let store = try unwrap(try engine.open(.conformance), "the tenant")
        try expectEqual(try store.check { _, _ in } + engine.checkDirectory(), [], "the check of \(who)")
    }

    private static func with(
        _ open: (TableSet) throws -> any StorageEngine, _ tables: TableSet,
        _ body: (any StorageEngine) async throws -> Void
    ) async throws {
        let engine = try open(tables)
        defer { engine.close() }
        try await body(engine)
    }
}
