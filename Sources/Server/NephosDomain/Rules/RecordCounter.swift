public import CloudKitWire
public import NephosStorage

/// Counts created and deleted records, whatever creates or removes them, in a feature's annex in the head of their database
/// (docs/decisions/0038). It may see every type and therefore adds little cost to a save: it gets numbers, nothing is read for it,
/// and it refuses nothing.
public protocol RecordCounter: Sendable {
    /// Whether it counts records of a type, which may be new, in databases of a kind. Called once per catalog.
    func counts(_ type: Name, in kind: DatabaseKind, _ catalog: Catalog) -> Bool
    /// Records what a commit adds and removes.
    ///
    /// - Parameters:
    ///   - head: The database before the commit: its sequence differs for each commit that counts.
    ///   - now: The time.
    ///   - rows: Has the annex of the head; what does not fit may be put into new rows.
    func count(_ tallies: [RecordTally], in head: HeadRow, at now: Milliseconds, _ rows: inout RuleWrites)
    /// Records the final removal of records of deleted zones.
    ///
    /// - Returns: Whether there was room in the annex (``RecordRule/swept(_:annex:)``).
    func swept(_ tallies: [RecordTally], from head: HeadRow, annex: inout HeadAnnex) -> Bool
}

/// A number of records of one type that were created, deleted or restored at one time.
public struct RecordTally: Sendable, Equatable {
    public enum Event: Sendable, Equatable { case created, deleted, restored }

    public let type: TypeNumber
    public let event: Event
    /// The record's own creation time; for deletions and restorations the time of the commit.
    public let at: Milliseconds
    public internal(set) var count: Int64
    /// The deleted or restored records, each in its previous state. Empty for sweeps.
    public internal(set) var former: [FormerRecord] = []

    public init(
        type: TypeNumber, _ event: Event, at: Milliseconds, count: Int64 = 1, former: [FormerRecord] = []
    ) {
        (self.type, self.event, self.at, self.count, self.former) = (type, event, at, count, former)
    }
}

/// A deleted record, or one that is restored from the trash.
public struct FormerRecord: Sendable, Equatable {
    /// Its previous number: a restored record gets another.
    public let number: RecordNumber
    public let createdAt: Milliseconds
    /// For a restored record.
    public let deletedAt: Milliseconds?

    public init(number: RecordNumber, createdAt: Milliseconds, deletedAt: Milliseconds? = nil) {
        (self.number, self.createdAt, self.deletedAt) = (number, createdAt, deletedAt)
    }

    init(_ trashed: TrashRow) {
        self.init(
            number: trashed.record.number, createdAt: trashed.record.createdAt, deletedAt: trashed.deletedAt)
    }
}
