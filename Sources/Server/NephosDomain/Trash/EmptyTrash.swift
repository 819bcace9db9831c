public import NephosStorage

/// Forgets deleted records of the public database, some at a time.
public struct EmptyTrash: Sendable {
    private let limit: Int
    private let now: Milliseconds

    /// - Parameter limit: Most records of one transaction.
    public init(limit: Int, now: Milliseconds) {
        self.limit = limit
        self.now = now
    }

    public var reading: ReadSet {
        var set = ReadSet()
        set.databases = [NewUser.publicDatabase]
        set.trash = [TrashScan(database: NewUser.publicDatabase, limit: limit)]
        return set
    }

    /// Answers how many there were.
    public func decide(_ reading: Reading) throws(Refusal) -> Decision<Int> {
        guard var head = reading.databases[0] else { throw .failed }
        // Files that nobody holds then are let go at this time.
        head.time = max(head.time, now)
        var set = WriteSet()
        set.heads = [head]
        set.takenFromTrash = reading.trash.first ?? []
        return .write(set, set.takenFromTrash.count)
    }
}
