public import CloudKitWire

/// A share: a record with all below it by `parent`, or a zone, that its owner lets others see (table `shares`). Its record of type
/// `cloudkit.share` has what clients see of it.
public struct ShareRow: Sendable, Equatable {
    /// What has become of a share.
    public enum State: Int64, Sendable {
        /// It is shared.
        case live = 0
        /// The records below its root are being marked. Nobody has joined yet.
        case preparing = 1
    }

    /// What everybody may do who knows its address.
    public enum PublicPermission: Int64, Sendable {
        /// Nothing: only those whom the owner has named may join.
        case none = 0
        /// See the records.
        case readOnly = 1
        /// See the records, change them, and add others.
        case readWrite = 2
    }

    /// The private database of its owner.
    public var database: DatabaseNumber
    /// The sequence of its creation.
    public var number: ShareNumber
    /// The number of its zone.
    public var zone: ZoneNumber
    /// The number of its root; 0 if it is of the whole zone.
    public var root: RecordNumber
    /// The name of its root; empty if it is of the whole zone.
    public var rootName: Name
    /// The name of its share record.
    public var name: Name
    /// What has become of it.
    public var state: State
    /// What everybody may do who knows its address.
    public var publicPermission: PublicPermission
    /// How often it ceased to be public: a visit is valid for one epoch.
    public var epoch: Int64
    /// Positions of followers before this one are expired: departures up to here were purged.
    public var purgedSequence: Sequence

    /// Creates a row from its columns; by default of a new share for named participants only.
    public init(
        database: DatabaseNumber, number: ShareNumber, zone: ZoneNumber, root: RecordNumber, rootName: Name = "",
        name: Name, state: State = .live, publicPermission: PublicPermission = .none, epoch: Int64 = 0,
        purgedSequence: Sequence = 0
    ) {
        self.database = database
        self.number = number
        self.zone = zone
        self.root = root
        self.rootName = rootName
        self.name = name
        self.state = state
        self.publicPermission = publicPermission
        self.epoch = epoch
        self.purgedSequence = purgedSequence
    }

    /// The mark of its root (``RecordRow/share``): negative as long as the records below are being marked.
    public var mark: ShareNumber { state == .preparing ? -number : number }

    /// Whether it is of a whole zone.
    public var isOfZone: Bool { root == 0 }
}

extension ShareRow: StoredRow {
    public static let table = Table(
        of: Self.self, "shares", .database, key: ["db", "share_no"],
        indexes: [
            Table.Index("shares_by_root", ["db", "root", "share_no"]),
            Table.Index("shares_by_zone", ["db", "zone_no", "share_no"]),
            Table.Index("shares_in_work", ["state", "db", "share_no"], where: "state > 0"),
        ], isCounted: true)
    public static let sample = ShareRow(database: 1, number: 1, zone: 1, root: 1, name: "")

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.int("share_no", &number)
        try columns.int("zone_no", &zone)
        try columns.int("root", &root)
        try columns.name("root_name", &rootName)
        try columns.name("name", &name)
        try columns.kind("state", &state)
        try columns.kind("public", &publicPermission)
        try columns.int("epoch", &epoch)
        try columns.int("purged_seq", &purgedSequence)
    }

    public var givenSequence: Sequence? { number }

    public func count(in head: inout HeadRow, times: Int64, checksum: Int64) {
        head.countOfShares(times: times, checksum: checksum)
    }

    /// The shares with these numbers in a database.
    public static func keyed(_ numbers: some Swift.Sequence<ShareNumber>, in database: DatabaseNumber) -> Scan<Self> {
        Scan(.database(database), among: numbers.map { [.int($0)] })
    }

    /// The first shares of all databases of a tenant.
    public static func all(limit: Int) -> Scan<Self> { Scan(limit: limit) }

    /// The first shares of a database.
    public static func all(in database: DatabaseNumber, limit: Int) -> Scan<Self> {
        Scan(.database(database), limit: limit)
    }

    /// The first shares of a zone, live and ended, after one.
    public static func of(
        _ zone: ZoneNumber, in database: DatabaseNumber, after number: ShareNumber = 0, limit: Int
    ) -> Scan<Self> {
        Scan(by: "shares_by_zone", .database(database), .int(zone), above: [.int(number)], limit: limit)
    }

    /// Shares of all databases that are being prepared.
    public static func inPreparation(limit: Int) -> Scan<Self> {
        Scan(by: "shares_in_work", .kind(State.preparing), limit: limit)
    }

    /// The shares of records of a database by the numbers of their roots.
    public static func ofRoots(
        _ roots: some Swift.Sequence<RecordNumber>, in database: DatabaseNumber
    ) -> Scan<Self> {
        Scan(by: "shares_by_root", .database(database), among: roots.map { [.int($0)] })
    }
}
