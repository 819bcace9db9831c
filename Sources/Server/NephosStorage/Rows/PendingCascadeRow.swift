public import CloudKitWire

/// A record that was deleted from a default zone with more holders of DELETE_SELF references than one transaction
/// takes along (table `cascades`). They go in the background.
public struct PendingCascadeRow: Sendable, Hashable {
    public var database: DatabaseNumber
    public var zone: ZoneNumber
    /// The record that is gone.
    public var target: Name
    /// Sequence of the deletion that began the cascade. Holders that were saved since stay.
    public var sequence: Sequence

    public init(database: DatabaseNumber, zone: ZoneNumber, target: Name, sequence: Sequence) {
        self.database = database
        self.zone = zone
        self.target = target
        self.sequence = sequence
    }

    public var checksum: Int64 {
        var sum = Checksum()
        for number in [database, zone, sequence] { sum.add(number) }
        sum.add(target.bytes)
        return sum.value
    }
}
