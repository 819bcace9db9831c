/// The amount of work on indexes in one transaction, so that the transaction, including its commit, blocks other
/// writers for less than 10 ms. The first step is always allowed, so that there is progress.
package struct IndexChunk: Sendable {
    /// Maximum number of records to examine, or entries to remove; at least one.
    package let rows: Int
    /// The maximum time, measured by its own clock.
    package let time: Duration

    package init(rows: Int, time: Duration = .milliseconds(5)) {
        self.rows = max(rows, 1)
        self.time = time
    }

    /// Maximum number of entries to add. They are scattered, so that the commit writes almost one page per entry, and
    /// the time of the commit is not part of ``time``.
    package static let entriesAdded = 256
    /// The number of entries that are removed between two checks of the clock.
    package static let entriesRemovedAtOnce = 256
}

/// A tenant whose work on indexes is done in chunks, for callers that need smaller chunks than
/// ``TenantStore/buildIndexes(in:rows:)`` uses.
package protocol ChunkedIndexWork: TenantStore {
    /// - Returns: Whether there is more to do.
    func buildIndexes(in database: DatabaseNumber?, _ chunk: IndexChunk) async throws -> Bool
}
