/// A tenant store that represents the indexes of a database as an ``IndexList``.
package protocol IndexListing: ChunkedIndexWork {
    /// Changes the list of indexes of a database, in a separate transaction.
    ///
    /// - Parameter isDue: If this is false for all indexes, nothing is changed, and no head is locked; nil to always
    ///   change the list.
    func changeIndexes(
        of database: DatabaseNumber, where isDue: (@Sendable (IndexRow) -> Bool)?,
        _ change: @escaping @Sendable (inout IndexList) -> Void
    ) async throws
}

extension IndexListing {
    package func openIndexes(
        _ shapes: [IndexShape], in database: DatabaseNumber, at now: Milliseconds
    ) async throws {
        try await changeIndexes(of: database, where: nil) { $0.open(shapes, at: now) }
    }

    package func dropIndexes(_ numbers: [IndexNumber], in database: DatabaseNumber) async throws {
        try await changeIndexes(of: database, where: nil) { $0.drop(numbers) }
    }

    /// A second use in the same hour writes nothing.
    package func noteUse(of numbers: [IndexNumber], in database: DatabaseNumber, at now: Milliseconds) async throws {
        try await changeIndexes(of: database) {
            $0.isUseToBeNoted(of: numbers, at: now)
        } _: {
            $0.noteUse(of: numbers, at: now)
        }
    }

    package func buildIndexes(in database: DatabaseNumber?, rows: Int) async throws -> Bool {
        try await buildIndexes(in: database, IndexChunk(rows: rows))
    }
}
