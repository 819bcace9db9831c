public import CloudKitWire

/// A record that left a share, because it was deleted or moved (table `departures`): what a tombstone is for those who see the whole
/// zone.
public struct DepartureRow: Sendable, Equatable {
    /// The private database of the owner.
    public var database: DatabaseNumber
    /// The number of the zone.
    public var zone: ZoneNumber
    /// Its position in the feed of the zone.
    public var sequence: Sequence
    /// The share that the record left.
    public var share: ShareNumber
    /// The share that it entered at the same time; 0 for none.
    public var toShare: ShareNumber
    /// The number of the record's type.
    public var type: TypeNumber
    /// The name of the record.
    public var name: Name
    /// When it left, in milliseconds since 1970.
    public var leftAt: Milliseconds

    /// Creates a row from its columns.
    public init(
        database: DatabaseNumber, zone: ZoneNumber, sequence: Sequence, share: ShareNumber, toShare: ShareNumber = 0,
        type: TypeNumber, name: Name, leftAt: Milliseconds
    ) {
        self.database = database
        self.zone = zone
        self.sequence = sequence
        self.share = share
        self.toShare = toShare
        self.type = type
        self.name = name
        self.leftAt = leftAt
    }
}

extension DepartureRow: StoredRow {
    public static let table = Table(
        of: Self.self, "departures", .database, key: ["db", "zone_no", "share_no", "seq"],
        indexes: [Table.Index("departures_by_time", ["left_at", "db", "zone_no", "share_no", "seq"])], isCounted: true)
    public static let sample = DepartureRow(database: 1, zone: 1, sequence: 1, share: 1, type: 0, name: "", leftAt: 0)

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.int("zone_no", &zone)
        try columns.int("share_no", &share)
        try columns.int("seq", &sequence)
        try columns.int("to_share", &toShare)
        try columns.type("type", &type)
        try columns.name("name", &name)
        try columns.int("left_at", &leftAt)
    }

    public var givenSequence: Sequence? { sequence }

    /// The departures from a share after a position, in order.
    public static func from(
        _ share: ShareNumber, in zone: ZoneNumber, of database: DatabaseNumber, after sequence: Sequence = 0, limit: Int
    ) -> Scan<Self> {
        Scan(.database(database), .int(zone), .int(share), above: [.int(sequence)], limit: limit)
    }

    /// These departures of one database, as far as they are stored.
    public static func keyed(_ rows: [DepartureRow]) -> Scan<Self> {
        Scan(
            among: rows.map { [.database($0.database), .int($0.zone), .int($0.share), .int($0.sequence)] })
    }

    /// The oldest departures of all databases, before a time.
    public static func oldest(before time: Milliseconds = .max, limit: Int) -> Scan<Self> {
        Scan(by: "departures_by_time", below: [.int(time)], limit: limit)
    }

    /// All departures of a zone.
    public static func of(_ zone: ZoneNumber, in database: DatabaseNumber, limit: Int) -> Scan<Self> {
        Scan(.database(database), .int(zone), limit: limit)
    }
}
