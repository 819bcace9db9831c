public import CloudKitWire
public import NephosStorage

/// Counts records that come and go, whatever makes or removes them, in what a feature keeps in the head of their database
/// (docs/decisions/0038). It may see every type, and so it costs a save little: it is told numbers, nothing is read for it, and it
/// refuses nothing.
public protocol RecordCounter: Sendable {
    /// Whether it counts records of a type, which may be new, in databases of a kind. Asked for once for a catalog.
    func counts(_ type: Name, in kind: DatabaseKind, _ catalog: Catalog) -> Bool
    /// Takes down what comes and goes with a commit.
    ///
    /// - Parameters:
    ///   - head: The database, as it was: its sequence is another for each commit that counts.
    ///   - now: The time.
    ///   - rows: Has the annex of the head; what does not fit may be put into new rows.
    func count(_ tallies: [RecordTally], in head: HeadRow, at now: Milliseconds, _ rows: inout FollowingRows)
    /// Takes down records of zones that were deleted, as they go for good.
    ///
    /// - Returns: Whether it found room in the annex (``RecordRule/swept(_:annex:)``).
    func swept(_ tallies: [RecordTally], from head: HeadRow, annex: inout HeadAnnex) -> Bool
}

/// So many records of one type that came, went or came back at one time.
public struct RecordTally: Sendable, Equatable {
    public enum Event: Sendable, Equatable { case created, deleted, restored }

    public let type: TypeNumber
    public let event: Event
    /// When a record was created, as it says itself; of one that goes or comes back the time of the commit.
    public let at: Milliseconds
    public internal(set) var count: Int64
    /// Those that went or came back, each as it was before. Not of sweeps.
    public internal(set) var former: [FormerRecord] = []

    public init(
        type: TypeNumber, _ event: Event, at: Milliseconds, count: Int64 = 1, former: [FormerRecord] = []
    ) {
        (self.type, self.event, self.at, self.count, self.former) = (type, event, at, count, former)
    }
}

/// A record that goes, or that was in the trash and comes back.
public struct FormerRecord: Sendable, Equatable {
    /// The one it had: it comes back with another.
    public let number: RecordNumber
    public let createdAt: Milliseconds
    /// Of one that comes back.
    public let deletedAt: Milliseconds?

    public init(number: RecordNumber, createdAt: Milliseconds, deletedAt: Milliseconds? = nil) {
        (self.number, self.createdAt, self.deletedAt) = (number, createdAt, deletedAt)
    }

    init(_ trashed: TrashRow) {
        self.init(
            number: trashed.record.number, createdAt: trashed.record.createdAt, deletedAt: trashed.deletedAt)
    }
}
