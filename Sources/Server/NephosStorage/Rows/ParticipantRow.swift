public import CloudKitWire

/// A person whom the owner of a share has named, in the owner's database (table `participants`): the truth about who may see the
/// records of a share that is not public.
public struct ParticipantRow: Sendable, Equatable {
    /// Where somebody stands.
    public enum Status: Int64, Sendable {
        /// Named by the owner, and has not accepted yet.
        case invited = 1
        /// May see the share.
        case accepted = 2
        /// May not see it any more, and will be notified of that.
        case removed = 3
    }

    /// Why somebody may not see a share any more.
    public enum Reason: Int64, Sendable {
        /// Nothing has happened.
        case none = 0
        /// The owner removed them, or they left.
        case removed = 1
        /// The owner stopped sharing.
        case unshared = 2
        /// The shared record, or its zone, was deleted.
        case deleted = 3
        /// The owner's account was deleted.
        case ownerLeft = 4
    }

    /// What somebody may do besides reading and writing records.
    public enum Role: Int64, Sendable {
        /// They may do nothing besides.
        case user = 0
        /// Change who participates.
        case administrator = 1
    }

    /// What somebody may do with the records of a share.
    public enum Permission: Int64, Sendable {
        /// They see the records and may not change them.
        case readOnly = 1
        /// They see the records, change them, and add others.
        case readWrite = 2
    }

    /// The private database of the owner.
    public var database: DatabaseNumber
    /// The participant.
    public var user: UserID
    /// The number of the zone of the share.
    public var zone: ZoneNumber
    /// The number of the share.
    public var share: ShareNumber
    /// Where they stand.
    public var status: Status
    /// Why they were removed.
    public var reason: Reason
    /// What they may do besides.
    public var role: Role
    /// What they may do with records.
    public var permission: Permission
    /// The sequence, in the owner's database, since which they have this status.
    public var since: Sequence

    /// Creates a row from its columns; by default of an invited person who may read and write.
    public init(
        database: DatabaseNumber, user: UserID, zone: ZoneNumber, share: ShareNumber, status: Status = .invited,
        reason: Reason = .none, role: Role = .user, permission: Permission = .readWrite, since: Sequence
    ) {
        self.database = database
        self.user = user
        self.zone = zone
        self.share = share
        self.status = status
        self.reason = reason
        self.role = role
        self.permission = permission
        self.since = since
    }
}

extension ParticipantRow: StoredRow {
    public static let table = Table(
        of: Self.self, "participants", .database, key: ["db", "user_id", "zone_no", "share_no"],
        indexes: [
            Table.Index("participants_by_share", ["db", "share_no", "user_id"]),
            Table.Index("participants_by_person", ["user_id", "db", "zone_no", "share_no"]),
        ], isCounted: true, person: "user_id", withheld: ["zone_no", "share_no", "since"])
    public static let sample = ParticipantRow(
        database: 1, user: UserID(high: 0, low: 0), zone: 1, share: 1, since: 1)

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.user("user_id", &user)
        try columns.int("zone_no", &zone)
        try columns.int("share_no", &share)
        try columns.kind("status", &status)
        try columns.kind("reason", &reason)
        try columns.kind("role", &role)
        try columns.kind("permission", &permission)
        try columns.int("since", &since)
    }

    public var givenSequence: Sequence? { since }

    public func count(in head: inout HeadRow, times: Int64, checksum: Int64) {
        head.countOfShares(times: times, checksum: checksum)
    }

    /// All rows of a person.
    public static func of(_ user: UserID, in database: DatabaseNumber, limit: Int) -> Scan<Self> {
        Scan(.database(database), .user(user), limit: limit)
    }

    /// All rows of a person in a zone: at most one for each share.
    public static func of(_ user: UserID, in zone: ZoneNumber, of database: DatabaseNumber, limit: Int) -> Scan<Self> {
        Scan(.database(database), .user(user), .int(zone), limit: limit)
    }

    /// The row of a person in one share.
    public static func of(
        _ user: UserID, share: ShareNumber, in zone: ZoneNumber, of database: DatabaseNumber
    ) -> Scan<Self> {
        Scan(.database(database), .user(user), .int(zone), .int(share), limit: 1)
    }

    /// The rows of shares that a person is in, of a database.
    public static func accepted(_ user: UserID, in database: DatabaseNumber, limit: Int) -> Scan<Self> {
        Scan(.database(database), .user(user), only: [isAccepted], limit: limit)
    }

    /// The same of a zone.
    public static func accepted(
        _ user: UserID, in zone: ZoneNumber, of database: DatabaseNumber, limit: Int
    ) -> Scan<Self> {
        Scan(.database(database), .user(user), .int(zone), only: [isAccepted], limit: limit)
    }

    private static let isAccepted = RowCondition.equal("status", .kind(Status.accepted))

    /// All rows of a person, of all owners.
    public static func everywhere(_ user: UserID, limit: Int) -> Scan<Self> {
        Scan(by: "participants_by_person", .user(user), limit: limit)
    }

    /// All rows of a database.
    public static func all(in database: DatabaseNumber, limit: Int) -> Scan<Self> {
        Scan(.database(database), limit: limit)
    }

    /// All rows of a share: at most one for each participant.
    public static func of(_ share: ShareNumber, in database: DatabaseNumber, limit: Int) -> Scan<Self> {
        Scan(by: "participants_by_share", .database(database), .int(share), limit: limit)
    }
}
