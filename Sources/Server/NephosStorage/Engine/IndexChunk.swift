/// How much work on indexes goes into one transaction, so that with its commit it holds other writers for less than
/// 10 ms. The first step is always for free, so that there is progress.
package struct IndexChunk: Sendable {
    /// Records that are looked at, or entries that are removed, at most; at least one.
    package let rows: Int
    /// How long it works, by its own clock.
    package let time: Duration

    package init(rows: Int, time: Duration = .milliseconds(5)) {
        self.rows = max(rows, 1)
        self.time = time
    }

    /// Entries that are added at most. They lie far from each other, so that the commit writes a page for almost every
    /// one, and the clock of the chunk does not see that.
    package static let entriesAdded = 256
    /// Entries that are removed between two looks at the clock.
    package static let entriesRemovedAtOnce = 256
}

/// A tenant whose work on indexes goes in chunks, for those who cut them smaller than
/// ``TenantStore/buildIndexes(in:rows:)`` does.
package protocol ChunkedIndexWork: TenantStore {
    /// - Returns: Whether there is more to do.
    func buildIndexes(in database: DatabaseNumber?, _ chunk: IndexChunk) async throws -> Bool
}
