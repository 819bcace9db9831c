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

    public init(type: TypeNumber, _ event: Event, at: Milliseconds, count: Int64 = 1) {
        (self.type, self.event, self.at, self.count) = (type, event, at, count)
    }
}
