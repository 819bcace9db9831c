public import NephosStorage

/// Deletes records from the trash of a database, in batches.
public struct EmptyTrash: Sendable {
    private let database: DatabaseNumber
    private let newest: Scan<TrashRow>
    private let now: Milliseconds

    /// - Parameters:
    ///   - database: nil for the public one.
    ///   - limit: The maximum number of records per transaction.
    public init(of database: DatabaseNumber? = nil, limit: Int, now: Milliseconds) {
        self.database = database ?? NewUser.publicDatabase
        newest = TrashRow.newest(in: self.database, limit: limit)
        self.now = now
    }

    public var reading: ReadSet {
        var set = ReadSet()
        set.databases = [database]
        set.ask(newest)
        return set
    }

    /// Returns how many were deleted.
    public func decide(_ reading: Reading) throws(Refusal) -> Decision<Int> {
        guard var head = reading.databases[0] else { throw .failed }
        guard !reading[newest].isEmpty else { return .write(WriteSet(), 0) }
        // Files that are then unreferenced are released at this time.
        head.time = max(head.time, now)
        var set = WriteSet()
        set.heads = [head]
        set.takenFromTrash = reading[newest]
        return .write(set, set.takenFromTrash.count)
    }
}
