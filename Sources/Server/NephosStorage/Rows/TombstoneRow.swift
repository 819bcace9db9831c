public import CloudKitWire

/// The tombstone of a deleted record, until it is purged (table `tombstones`). At most one per name.
public struct TombstoneRow: Sendable, Equatable {
    public var database: DatabaseNumber
    public var zone: ZoneNumber
    public var name: Name
    public var sequence: Sequence
    public var type: TypeNumber
    public var deletedAt: Milliseconds

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

    public var checksum: Int64 {
        var sum = Checksum()
        for number in [database, zone, sequence, Int64(type), deletedAt] { sum.add(number) }
        sum.add(name.bytes)
        return sum.value
    }
}
