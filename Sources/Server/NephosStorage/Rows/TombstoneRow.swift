public import CloudKitWire

/// The tombstone of a deleted record, until it is purged (table `tombstones`). At most one per name.
public struct TombstoneRow: Sendable, Equatable {
    /// The database that the record was in.
    public var database: DatabaseNumber
    /// The number of the zone that the record was in.
    public var zone: ZoneNumber
    /// The name of the record.
    public var name: Name
    /// The sequence of its deletion: its place in the feed of the zone.
    public var sequence: Sequence
    /// The number of its type.
    public var type: TypeNumber
    /// When it was deleted, in milliseconds since 1970.
    public var deletedAt: Milliseconds

    /// Creates a row from its columns.
    public init(
        database: DatabaseNumber, zone: ZoneNumber, name: Name, sequence: Sequence, type: TypeNumber,
        deletedAt: Milliseconds
    ) {
        self.database = database
        self.zone = zone
        self.name = name
        self.sequence = sequence
        self.type = type
        self.deletedAt = deletedAt
    }

    /// Guards the row against damage.
    public var checksum: Int64 {
        var sum = Checksum()
        for number in [database, zone, sequence, Int64(type), deletedAt] { sum.add(number) }
        sum.add(name.bytes)
        return sum.value
    }
}
