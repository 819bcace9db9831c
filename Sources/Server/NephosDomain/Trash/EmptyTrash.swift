public import NephosStorage

/// Forgets deleted records of the public database, some at a time.
public struct EmptyTrash: Sendable {
    private let newest: Scan<TrashRow>
    private let now: Milliseconds

    /// - Parameter limit: Most records of one transaction.
    public init(limit: Int, now: Milliseconds) {
        newest = TrashRow.newest(in: NewUser.publicDatabase, limit: limit)
        self.now = now
    }

    public var reading: ReadSet {
        var set = ReadSet()
        set.databases = [NewUser.publicDatabase]
        set.ask(newest)
        return set
    }

    /// Answers how many there were.
    public func decide(_ reading: Reading) throws(Refusal) -> Decision<Int> {
        guard var head = reading.databases[0] else { throw .failed }
        // Files that nobody holds then are let go at this time.
        head.time = max(head.time, now)
        var set = WriteSet()
        set.heads = [head]
        set.takenFromTrash = reading[newest]
        return .write(set, set.takenFromTrash.count)
    }
}
