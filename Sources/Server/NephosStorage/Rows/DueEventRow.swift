public import CloudKitWire

/// The next time at which a record of the public database appears or ends for callers that cannot write it, without a save
/// (table `due_events`, docs/decisions/0033). One for each record that has such a time in the future.
public struct DueEventRow: Sendable, Equatable {
    /// The database that the record is in.
    public var database: DatabaseNumber
    /// The number of the zone that the record is in.
    public var zone: ZoneNumber
    /// The name of the record.
    public var name: Name
    /// Milliseconds since 1970.
    public var at: Milliseconds

    /// Creates a row from its columns.
    public init(database: DatabaseNumber, zone: ZoneNumber, name: Name, at: Milliseconds) {
        self.database = database
        self.zone = zone
        self.name = name
        self.at = at
    }
}

extension DueEventRow: StoredRow {
    public static let table = Table(
        of: Self.self, "due_events", .database, key: ["db", "zone_no", "name"],
        indexes: [Table.Index("due_events_by_time", ["at"])], isCounted: true)
    public static let sample = DueEventRow(database: 1, zone: 1, name: "", at: 0)

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.int("zone_no", &zone)
        try columns.name("name", &name)
        try columns.int("at", &at)
    }

    // MARK: Scans

    /// The rows of records, by zone and name, in any order.
    public static func of(
        _ records: some Swift.Sequence<(zone: ZoneNumber, name: Name)>, in database: DatabaseNumber
    ) -> Scan<Self> {
        Scan(.database(database), among: records.map { [.int($0.zone), .name($0.name)] })
    }

    /// The rows of all databases up to a time, the earliest first.
    public static func due(by time: Milliseconds, limit: Int) -> Scan<Self> {
        Scan(by: "due_events_by_time", below: [.int(time == .max ? .max : time + 1)], limit: limit)
    }
}
