public import CloudKitWire

/// A change that somebody watches, written with the change itself (table `events`) for the pump to deliver.
public struct ChangeEventRow: Sendable, Equatable {
    public enum Kind: Int64, Sendable { case created = 1, updated = 2, deleted = 3, zoneCreated = 4, zoneDeleted = 5 }

    public var database: DatabaseNumber
    public var sequence: Sequence
    public var zone: ZoneNumber
    /// Name of the record; of the zone for zone events.
    public var name: Name
    public var kind: Kind
    /// The `clientId` of the request that made the change; empty when it named none.
    public var client: String
    /// Fields before and after, only where a query is watched.
    public var oldFields: Bytes?
    public var newFields: Bytes?

    public init(
        database: DatabaseNumber, sequence: Sequence, zone: ZoneNumber, name: Name, kind: Kind, client: String = "",
        oldFields: Bytes? = nil, newFields: Bytes? = nil
    ) {
        self.database = database
        self.sequence = sequence
        self.zone = zone
        self.name = name
        self.kind = kind
        self.client = client
        self.oldFields = oldFields
        self.newFields = newFields
    }

    public var checksum: Int64 {
        var sum = Checksum()
        for number in [database, sequence, zone, kind.rawValue] { sum.add(number) }
        sum.add(name.bytes)
        sum.add(client.utf8)
        if let oldFields { sum.add(oldFields) } else { sum.addNothing() }
        if let newFields { sum.add(newFields) } else { sum.addNothing() }
        return sum.value
    }
}
