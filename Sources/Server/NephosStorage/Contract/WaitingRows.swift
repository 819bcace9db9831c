/// What background work will remove from a tenant, now or later. Times are milliseconds since 1970; nil means that
/// there is nothing of the kind.
public struct WaitingRows: Sendable, Equatable {
    /// Whether there are dead zones that are not swept yet.
    public var hasDeadZones = false
    /// Whether there are indexes that are being built, or dropped indexes that still have entries.
    public var hasUnfinishedIndexes = false
    /// When the oldest tombstone of a record or zone was created.
    public var tombstone: Milliseconds?
    /// When the record that has been in the trash for the longest time was deleted.
    public var trash: Milliseconds?
    /// When the last record released the file that has been without records for the longest time.
    public var releasedFile: Milliseconds?

    /// Creates a value for a tenant in which nothing is left to remove.
    public init() {}
}
