/// What is left in a tenant that background work will remove one day. Times are milliseconds since 1970; nil says that there is
/// nothing of the kind.
public struct WaitingRows: Sendable, Equatable {
    /// Zones are dead and not swept yet.
    public var hasDeadZones = false
    /// Indexes are being built, or have entries left that nobody needs.
    public var hasUnfinishedIndexes = false
    /// When the oldest tombstone of a record or zone was made.
    public var tombstone: Milliseconds?
    /// When the record that is in the trash for longest was deleted.
    public var trash: Milliseconds?
    /// Since when nobody has held the file that nobody has held for longest.
    public var releasedFile: Milliseconds?

    /// Creates one that says that nothing is left.
    public init() {}
}
