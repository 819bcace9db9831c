public import CloudKitWire

/// The default zone of a database, present from its beginning.
public let defaultZoneName: Name = "_defaultZone"

/// One incarnation of a zone (table `zones`).
///
/// Deleting a zone marks its incarnation dead in one step; its rows are swept in chunks later. The row of a dead zone remains
/// as its tombstone in the database feed until it is purged.
public struct ZoneRow: Sendable, Equatable {
    /// What became of an incarnation.
    public enum State: Int64, Sendable {
        /// The zone exists.
        case live = 0
        /// Deleted; rows of its records may still exist.
        case dead = 1
        /// Deleted, and all its other rows are removed.
        case swept = 2
    }

    /// The database that it is in.
    public var database: DatabaseNumber
    /// The number of the incarnation in its database.
    public var number: ZoneNumber
    /// The name of the zone. Of one name at most one incarnation is live.
    public var name: Name
    /// What happened to it.
    public var state: State
    /// Sequence at which this incarnation was created.
    public var createdSequence: Sequence
    /// Sequence of the last change in the zone; of its deletion once it is dead. Orders the database feed.
    public var changedSequence: Sequence
    /// Zone change tokens at an older sequence are expired: tombstones up to here were purged.
    public var purgedSequence: Sequence
    /// When it was created, in milliseconds since 1970.
    public var createdAt: Milliseconds
    /// When the zone was deleted; 0 if it was not.
    public var deletedAt: Milliseconds
    /// The token that the client sent with the latest accepted request in the zone, by which it recognizes that request; nil
    /// if no request had one.
    public var clientToken: [UInt8]?
    /// What of it is shared.
    public var sharing: ZoneSharing

    /// Creates a row from its columns; by default of a zone that lives.
    public init(
        database: DatabaseNumber, number: ZoneNumber, name: Name, state: State = .live, createdSequence: Sequence,
        changedSequence: Sequence, purgedSequence: Sequence = 0, createdAt: Milliseconds, deletedAt: Milliseconds = 0,
        clientToken: [UInt8]? = nil, sharing: ZoneSharing = .nothing
    ) {
        self.database = database
        self.number = number
        self.name = name
        self.state = state
        self.createdSequence = createdSequence
        self.changedSequence = changedSequence
        self.purgedSequence = purgedSequence
        self.createdAt = createdAt
        self.deletedAt = deletedAt
        self.clientToken = clientToken
        self.sharing = sharing
    }

    /// In the order of ``init(_:from:)``.
    package static let columns = [
        "db", "zone_no", "name", "state", "created_seq", "changed_seq", "purged_seq", "created_at", "deleted_at",
        "client_token", "sharing",
    ]

    /// Reads ``columns``, starting at the given column.
    @inlinable
    package init(_ row: borrowing some AnswerRow & ~Copyable, from first: Int32 = 0) throws(StorageError) {
        self.init(
            database: row.database(first), number: row.int(first + 1), name: row.name(first + 2),
            state: try row.kind(first + 3, of: State.self), createdSequence: row.int(first + 4),
            changedSequence: row.int(first + 5), purgedSequence: row.int(first + 6), createdAt: row.int(first + 7),
            deletedAt: row.int(first + 8), clientToken: row.optionalBytes(first + 9),
            sharing: try row.kind(first + 10, of: ZoneSharing.self))
    }

    /// Whether it is the default zone of its database.
    public var isDefault: Bool { name == defaultZoneName }

    /// Guards the row against damage.
    public var checksum: Int64 {
        var sum = Checksum()
        for number in [
            database, number, state.rawValue, createdSequence, changedSequence, purgedSequence, createdAt, deletedAt,
        ] { sum.add(number) }
        sum.add(name.bytes)
        // Zones that were stored before these columns were added had neither, and keep their checksum.
        if let clientToken { sum.add(clientToken) }
        if sharing != .nothing { sum.add(sharing.rawValue) }
        return sum.value
    }
}

/// What of a zone is shared, stored as one number.
public enum ZoneSharing: Sendable, Hashable, RawRepresentable {
    /// Nothing is shared: 0.
    case nothing
    /// Some records with all below them: -1.
    case records
    /// The same, and one of these shares is not prepared yet, so that records must not move: -2.
    case recordsInPreparation
    /// All of it, by the share with this number.
    case zone(ShareNumber)

    /// The share of all of it, if there is one.
    public var share: ShareNumber? { if case .zone(let share) = self { share } else { nil } }

    public init?(rawValue: Int64) {
        switch rawValue {
        case 0: self = .nothing
        case -1: self = .records
        case -2: self = .recordsInPreparation
        case 1...: self = .zone(rawValue)
        default: return nil
        }
    }

    public var rawValue: Int64 {
        switch self {
        case .nothing: 0
        case .records: -1
        case .recordsInPreparation: -2
        case .zone(let share): share
        }
    }
}
