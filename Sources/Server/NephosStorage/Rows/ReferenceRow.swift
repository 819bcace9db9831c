public import CloudKitWire

/// How one record refers to another.
public enum ReferenceKind: Int64, Sendable, Hashable, CaseIterable {
    /// The target may be missing.
    case none = 0
    /// The record that holds it is deleted with its target.
    case deleteSelf = 1
    /// The target must exist when it is saved, and cannot be deleted while it is referenced.
    case validate = 2
    /// The record's `parent`.
    case parent = 3
}

/// A reference of a record to another record of its zone, by name.
public struct ReferenceTarget: Sendable, Hashable {
    /// The name of the record that is named.
    public var target: Name
    /// How it is named.
    public var kind: ReferenceKind

    /// Creates a reference to a record of the same zone.
    public init(target: Name, kind: ReferenceKind) {
        self.target = target
        self.kind = kind
    }
}

/// One stored reference (table `refs`): `record` refers to `target`. One row for each combination of target and kind.
public struct ReferenceRow: Sendable, Equatable {
    /// The database that both records are in.
    public var database: DatabaseNumber
    /// The number of the zone that both records are in.
    public var zone: ZoneNumber
    /// The name of the record that is named.
    public var target: Name
    /// How it is named.
    public var kind: ReferenceKind
    /// The number of the record that names it.
    public var record: RecordNumber

    /// Creates a row from its columns.
    public init(
        database: DatabaseNumber, zone: ZoneNumber, target: Name, kind: ReferenceKind, record: RecordNumber
    ) {
        self.database = database
        self.zone = zone
        self.target = target
        self.kind = kind
        self.record = record
    }

    /// Guards the row against damage.
    public var checksum: Int64 {
        var sum = Checksum()
        for number in [database, zone, kind.rawValue, record] { sum.add(number) }
        sum.add(target.bytes)
        return sum.value
    }
}
