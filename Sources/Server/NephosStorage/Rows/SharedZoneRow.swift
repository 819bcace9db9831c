public import CloudKitWire

/// A zone of somebody else that a person sees, in their own private database (table `shared_zones`). It orders their shared database
/// and grants nothing: what they may see is decided in the owner's database at each request.
public struct SharedZoneRow: Sendable, Equatable {
    /// How somebody came to see a zone.
    public enum Kind: Int64, Sendable {
        /// An owner named them. One row for each zone.
        case pointer = 0
        /// They opened the address of a public share. One row for each share.
        case visit = 1
    }

    /// Whether they see it.
    public enum State: Int64, Sendable {
        /// They do.
        case live = 0
        /// Not any more.
        case ended = 1
    }

    /// Their private database.
    public var database: DatabaseNumber
    /// How they came to see the zone.
    public var kind: Kind
    /// The owner of the zone.
    public var owner: UserID
    /// The number of the zone in the owner's database.
    public var zone: ZoneNumber
    /// The number of the share for a visit; 0 for a pointer.
    public var share: ShareNumber
    /// The name of the zone.
    public var name: Name
    /// The private database of the owner.
    public var ownerDatabase: DatabaseNumber
    /// The sequence, in their own database, of the last change that they were notified of.
    public var sequence: Sequence
    /// Whether they see it.
    public var state: State
    /// The sequence of the owner's database that the row reflects.
    public var ownerSequence: Sequence
    /// For a visit: the sequence of the owner's database when it began.
    public var since: Sequence
    /// For a visit: the sequence of their own database when it began.
    public var accepted: Sequence
    /// For a visit: the epoch of the share (``ShareRow/epoch``).
    public var epoch: Int64
    /// When they stopped to see it, in milliseconds since 1970; 0 if they see it.
    public var endedAt: Milliseconds
    /// Why they stopped to see it.
    public var reason: ParticipantRow.Reason

    /// Creates a row from its columns; by default of a zone that an owner shares.
    public init(
        database: DatabaseNumber, kind: Kind = .pointer, owner: UserID, zone: ZoneNumber, share: ShareNumber = 0,
        name: Name, ownerDatabase: DatabaseNumber, sequence: Sequence, state: State = .live,
        ownerSequence: Sequence = 0, since: Sequence = 0, accepted: Sequence = 0, epoch: Int64 = 0,
        endedAt: Milliseconds = 0, reason: ParticipantRow.Reason = .none
    ) {
        self.database = database
        self.kind = kind
        self.owner = owner
        self.zone = zone
        self.share = share
        self.name = name
        self.ownerDatabase = ownerDatabase
        self.sequence = sequence
        self.state = state
        self.ownerSequence = ownerSequence
        self.since = since
        self.accepted = accepted
        self.epoch = epoch
        self.endedAt = endedAt
        self.reason = reason
    }
}

extension SharedZoneRow: StoredRow {
    public static let table = Table(
        of: Self.self, "shared_zones", .database, key: ["db", "kind", "owner_id", "zone_no", "share_no"],
        indexes: [Table.Index("shared_zones_by_change", ["db", "seq"])], isCounted: true,
        withheld: ["zone_no", "share_no", "owner_db", "owner_seq", "since", "epoch"])
    public static let sample = SharedZoneRow(
        database: 1, owner: UserID(high: 0, low: 0), zone: 1, name: "", ownerDatabase: 1, sequence: 1)

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.kind("kind", &kind)
        try columns.user("owner_id", &owner)
        try columns.int("zone_no", &zone)
        try columns.int("share_no", &share)
        try columns.name("name", &name)
        try columns.int("owner_db", &ownerDatabase)
        try columns.int("seq", &sequence)
        try columns.kind("state", &state)
        try columns.int("owner_seq", &ownerSequence)
        try columns.int("since", &since)
        try columns.int("accepted", &accepted)
        try columns.int("epoch", &epoch)
        try columns.int("ended_at", &endedAt)
        try columns.kind("reason", &reason)
    }

    public var givenSequence: Sequence? { sequence }

    public func count(in head: inout HeadRow, times: Int64, checksum: Int64) {
        // A pointer grants nothing.
        if kind == .visit {
            head.countOfShares(times: times, checksum: checksum)
            head.visits += times
        } else {
            head.rowsDigest &+= times &* checksum
        }
    }

    /// The zones of an owner that a person sees or saw.
    public static func of(
        _ owner: UserID, kind: Kind, in database: DatabaseNumber, limit: Int
    ) -> Scan<Self> {
        Scan(.database(database), .kind(kind), .user(owner), limit: limit)
    }

    /// The visit of one share.
    public static func visit(
        of owner: UserID, share: ShareNumber, in zone: ZoneNumber, of database: DatabaseNumber
    ) -> Scan<Self> {
        Scan(.database(database), .kind(Kind.visit), .user(owner), .int(zone), .int(share), limit: 1)
    }

    /// All zones that a person sees or saw.
    public static func all(in database: DatabaseNumber, limit: Int) -> Scan<Self> {
        Scan(.database(database), limit: limit)
    }

    /// All zones that a person sees or saw in one way.
    public static func all(_ kind: Kind, in database: DatabaseNumber, limit: Int) -> Scan<Self> {
        Scan(.database(database), .kind(kind), limit: limit)
    }

    /// All zones that a person sees in one way.
    public static func live(_ kind: Kind, in database: DatabaseNumber, limit: Int) -> Scan<Self> {
        Scan(.database(database), .kind(kind), only: [.equal("state", .kind(State.live))], limit: limit)
    }

    /// The zones that changed after a position of the person's database, in order.
    public static func changed(after sequence: Sequence, in database: DatabaseNumber, limit: Int) -> Scan<Self> {
        Scan(by: "shared_zones_by_change", .database(database), above: [.int(sequence)], limit: limit)
    }
}
