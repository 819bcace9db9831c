public import CloudKitWire

/// A record that was deleted from a default zone, and has more holders of DELETE_SELF references than one transaction removes
/// (table `cascades`). The others are removed in the background.
public struct PendingCascadeRow: Sendable, Hashable {
    /// The database that the record was in.
    public var database: DatabaseNumber
    /// The number of the zone that the record was in.
    public var zone: ZoneNumber
    /// The record that was deleted.
    public var target: Name
    /// Sequence of the deletion that began the cascade. Holders that were saved later stay.
    public var sequence: Sequence

    /// Creates a row from its columns.
    public init(database: DatabaseNumber, zone: ZoneNumber, target: Name, sequence: Sequence) {
        self.database = database
        self.zone = zone
        self.target = target
        self.sequence = sequence
    }
}

extension PendingCascadeRow: StoredRow {
    public static let table = Table(
        of: Self.self, "cascades", .database, key: ["db", "zone_no", "target"], isCounted: true,
        checksum: .frozen(["db", "zone_no", "seq", "target"]))
    public static let sample = PendingCascadeRow(database: 1, zone: 1, target: "", sequence: 1)

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.int("zone_no", &zone)
        try columns.name("target", &target)
        try columns.int("seq", &sequence)
    }

    public func count(in head: inout HeadRow, times: Int64, checksum: Int64) { head.cascades += times }

    /// Some pending cascades, those of one zone together.
    public static func waiting(limit: Int) -> Scan<Self> { Scan(limit: limit) }

    /// The rows of these targets, by database, zone and name, in any order.
    public static func of(_ targets: some Swift.Sequence<(DatabaseNumber, ZoneNumber, Name)>) -> Scan<Self> {
        Scan(among: targets.map { [.database($0), .int($1), .name($2)] })
    }
}
