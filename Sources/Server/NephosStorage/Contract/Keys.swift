public import CloudKitWire

/// Identifies a zone: the live incarnation of a name, or one incarnation in any state.
public enum ZoneKey: Sendable, Hashable {
    /// The live zone of this name, if there is one.
    case name(DatabaseNumber, Name)
    /// One incarnation by its number, live or dead.
    case number(DatabaseNumber, ZoneNumber)

    /// The database that the zone is in.
    public var database: DatabaseNumber {
        switch self {
        case .name(let database, _), .number(let database, _): database
        }
    }
}

/// Identifies a record.
public struct RecordKey: Sendable, Hashable {
    /// The zone that the record is in.
    public var zone: ZoneKey
    /// The name of the record, unique in its zone across types.
    public var name: Name

    /// Identifies a record by its zone and its name.
    public init(zone: ZoneKey, name: Name) {
        self.zone = zone
        self.name = name
    }
}

/// Finds the records that refer to a record: those of the zone that hold a reference of `kind` to `target`.
public struct ReferrerScan: Sendable, Hashable {
    /// The zone of the records and of the target.
    public var zone: ZoneKey
    /// The name of the record that is referred to.
    public var target: Name
    /// The kind of the references.
    public var kind: ReferenceKind
    /// Only records with a greater number.
    public var above: RecordNumber
    /// Maximum number of rows to return, at least 1. Referrers are ordered by record number.
    public var limit: Int

    /// Requests the first `limit` referrers.
    public init(zone: ZoneKey, target: Name, kind: ReferenceKind, above: RecordNumber = 0, limit: Int) {
        self.zone = zone
        self.target = target
        self.kind = kind
        self.above = above
        self.limit = limit
    }
}

/// Finds the records that reach one of `roots` over references of one kind, at any distance, including cycles: over DELETE_SELF what is
/// deleted along with them, over parents what is below them. The roots themselves are returned only if they are reached.
public struct CascadeScan: Sendable, Hashable {
    /// The zone of the records.
    public var zone: ZoneKey
    /// The names of the records where it begins.
    public var roots: [Name]
    /// The kind of the references.
    public var kind: ReferenceKind
    /// Maximum number of edges to return, at least 1.
    public var limit: Int

    /// Requests the first `limit` edges.
    public init(zone: ZoneKey, roots: [Name], kind: ReferenceKind = .deleteSelf, limit: Int) {
        self.zone = zone
        self.roots = roots
        self.kind = kind
        self.limit = limit
    }
}

/// Finds a record and what is above it: its parent, the parent of that, and so on.
public struct AncestorScan: Sendable, Hashable {
    /// The zone of the records.
    public var zone: ZoneKey
    /// The name of the record where it begins.
    public var name: Name
    /// Maximum number of records to return, at least 1, the first one included.
    public var limit: Int

    /// Requests the first `limit` records.
    public init(zone: ZoneKey, name: Name, limit: Int) {
        self.zone = zone
        self.name = name
        self.limit = limit
    }
}

/// A page of what some shares contain: their records in their latest state, and what has left them, by sequence.
public struct ShareScan: Sendable, Hashable {
    /// The zone of the shares.
    public var zone: ZoneKey
    /// Records of which ``RecordRow/share`` is one of these, and departures from these.
    public var shares: [ShareNumber]
    /// Only changes after this sequence.
    public var after: Sequence
    /// Only changes up to this sequence, which is included.
    public var through: Sequence
    /// Whether what left the shares is included, except for what moved from one of them to another one.
    public var departures: Bool
    /// Only changes of these types; nil for all.
    public var types: Set<TypeNumber>?
    /// Maximum number of changes in the page. With 0 it only shows whether there are any.
    public var limit: Int
    /// The page ends before it contains more bytes of names and fields than this; the first change always fits.
    public var byteLimit: Int

    /// Requests a page, by default of records of all types, up to 8 MB.
    public init(
        zone: ZoneKey, shares: [ShareNumber], after: Sequence = 0, through: Sequence = .max, departures: Bool = false,
        types: Set<TypeNumber>? = nil, limit: Int, byteLimit: Int = 8 << 20
    ) {
        self.zone = zone
        self.shares = shares
        self.after = after
        self.through = through
        self.departures = departures
        self.types = types
        self.limit = limit
        self.byteLimit = byteLimit
    }

    /// Maximum number of changes that the page examines. A page that filters by type may be short.
    package var examinedLimit: Int { types == nil ? limit : max(limit, 1_000) }
}

/// A page of a zone's feed for somebody who is in some of its shares. What they see of the zone depends on when they began to see it:
/// all that a share contained then comes first, and then what changed (docs/decisions/0065).
public struct MemberFeedScan: Sendable, Hashable {
    /// A share that the follower is in.
    public struct Membership: Sendable, Hashable {
        /// The number of the share.
        public var share: ShareNumber
        /// The sequence since which they are in it.
        public var since: Sequence
        /// For a visit, the sequence of their own database when it began; otherwise 0.
        public var accepted: Sequence

        /// Creates a membership. No two of a person in a zone have both numbers in common.
        public init(share: ShareNumber, since: Sequence, accepted: Sequence) {
            self.share = share
            self.since = since
            self.accepted = accepted
        }
    }

    /// How far somebody has followed a zone.
    public struct Position: Sendable, Hashable {
        /// All changes up to this one were seen, of the shares that were begun.
        public var sequence: Sequence
        /// ``Membership/since`` of the last share that was begun at this sequence; 0 if none was.
        public var since: Sequence
        /// ``Membership/accepted`` of that share.
        public var accepted: Sequence
        /// Of that share, the records up to this sequence were seen; `.max` if all were.
        public var seen: Sequence

        /// Creates the position at a sequence where no share was begun.
        public init(sequence: Sequence, since: Sequence = 0, accepted: Sequence = 0, seen: Sequence = 0) {
            self.sequence = sequence
            self.since = since
            self.accepted = accepted
            self.seen = seen
        }

        /// The position of somebody who has seen nothing.
        public static let start = Position(sequence: .max)
    }

    /// The zone.
    public var zone: ZoneKey
    /// Whether the whole zone is shared with them.
    public var isOfZone: Bool
    /// The shares that they are in.
    public var memberships: [Membership]
    /// The sequence of the zone when they saw nothing of it: they do not need to know what left it before. `.max` for the present.
    public var base: Sequence
    /// Only what follows.
    public var after: Position
    /// Only changes of these types; nil for all.
    public var types: Set<TypeNumber>?
    /// Maximum number of changes in the page, at least 1.
    public var limit: Int
    /// The page ends before it contains more bytes of names and fields than this; the first change always fits.
    public var byteLimit: Int

    /// Requests a page, by default from the start, of all types, up to 8 MB.
    public init(
        zone: ZoneKey, isOfZone: Bool = false, memberships: [Membership], base: Sequence = .max,
        after: Position = .start, types: Set<TypeNumber>? = nil, limit: Int, byteLimit: Int = 8 << 20
    ) {
        self.zone = zone
        self.isOfZone = isOfZone
        self.memberships = memberships
        self.base = base
        self.after = after
        self.types = types
        self.limit = limit
        self.byteLimit = byteLimit
    }
}

/// A page of a zone's feed: its records in their latest state and its tombstones, by sequence.
public struct FeedScan: Sendable, Hashable {
    /// The zone whose feed it is.
    public var zone: ZoneKey
    /// Only changes after this sequence; with `reverse`, only changes before it.
    public var bound: Sequence
    /// Only changes up to this sequence, which is included. Few pages end so, therefore more may be read.
    public var through: Sequence
    /// Whether the newest changes come first.
    public var reverse: Bool
    /// Tombstones up to this sequence are omitted: the client never received their records.
    public var tombstonesAfter: Sequence
    /// Only changes of these types; nil for all. With an empty set the page has no changes, but its position advances.
    public var types: Set<TypeNumber>?
    /// Maximum number of changes in the page. With 0 it only shows whether there are any.
    public var limit: Int
    /// The page ends before it contains more bytes of names and fields than this; the first change always fits.
    public var byteLimit: Int
    /// Maximum number of rows to examine, for a page that filters by type.
    public var examinedLimit: Int

    /// Requests a page; by default the oldest changes first, all types, up to 8 MB and 10,000 rows.
    public init(
        zone: ZoneKey, bound: Sequence, through: Sequence = .max, reverse: Bool = false,
        tombstonesAfter: Sequence = 0, types: Set<TypeNumber>? = nil, limit: Int, byteLimit: Int = 8 << 20,
        examinedLimit: Int = 10_000
    ) {
        self.zone = zone
        self.bound = bound
        self.through = through
        self.reverse = reverse
        self.tombstonesAfter = tombstonesAfter
        self.types = types
        self.limit = limit
        self.byteLimit = byteLimit
        self.examinedLimit = examinedLimit
    }
}

/// The work limit that all feeds of a read set share. They are read one after the other; a page ends when the budget is
/// used up, even before its first change, and reports that there is more.
public struct FeedBudget: Sendable, Hashable {
    /// Maximum number of rows to examine, at least 1.
    public var rows: Int
    /// Maximum number of bytes of names and fields; the first change of the first page with changes always fits.
    public var bytes: Int

    /// Creates a budget of rows and bytes.
    public init(rows: Int, bytes: Int) {
        self.rows = rows
        self.bytes = bytes
    }

    /// No limit except those of each feed.
    public static let unlimited = FeedBudget(rows: .max, bytes: .max)
}

/// A page of a database's feed: its zones by the sequence of their last change, including dead zones, but not the
/// default zone.
public struct ZoneFeedScan: Sendable, Hashable {
    /// The database whose zones they are.
    public var database: DatabaseNumber
    /// Only zones that changed after this sequence.
    public var after: Sequence
    /// Dead zones that were deleted up to this sequence are omitted: the client never received them.
    public var deletedAfter: Sequence
    /// Maximum number of zones to return, at least 1.
    public var limit: Int

    /// Requests a page, oldest change first.
    public init(database: DatabaseNumber, after: Sequence, deletedAfter: Sequence = 0, limit: Int) {
        self.database = database
        self.after = after
        self.deletedAfter = deletedAfter
        self.limit = limit
    }
}

/// A page of records by name, in the order of (zone number, name).
public struct NameScan: Sendable, Hashable {
    /// One zone, or all live zones of the database.
    public enum Place: Sendable, Hashable {
        /// The records of one zone.
        case zone(ZoneKey)
        /// The records of all live zones of a database.
        case database(DatabaseNumber)
    }
    /// Where the last page ended: the next page starts after this.
    public struct Position: Sendable, Hashable {
        /// The zone of the last record of the page.
        public var zone: ZoneNumber
        /// The name of the last record of the page.
        public var name: Name
        /// Creates the position of a record.
        public init(zone: ZoneNumber, name: Name) {
            self.zone = zone
            self.name = name
        }
    }

    /// Where the records are.
    public var place: Place
    /// Only records of this type; nil for all types.
    public var type: TypeNumber?
    /// Only records that this user created; nil for those of all users.
    public var createdBy: UserID?
    /// Where the last page ended; nil for the first page.
    public var after: Position?
    /// Maximum number of records to return, at least 1.
    public var limit: Int
    /// The page ends before it contains more bytes of names and fields than this; the first record always fits.
    public var byteLimit: Int
    /// Maximum number of rows to examine; a page that reaches this is short, and the next one continues.
    public var examinedLimit: Int

    /// Requests a page; by default records of all types and users, up to 8 MB and 10,000 rows.
    public init(
        place: Place, type: TypeNumber? = nil, createdBy: UserID? = nil, after: Position? = nil, limit: Int,
        byteLimit: Int = 8 << 20, examinedLimit: Int = 10_000
    ) {
        self.place = place
        self.type = type
        self.createdBy = createdBy
        self.after = after
        self.limit = limit
        self.byteLimit = byteLimit
        self.examinedLimit = examinedLimit
    }
}

/// A page of the records of a database in the order of their numbers: the order in which they were created, which never
/// changes. Records of deleted zones are included until they are swept.
public struct RecordWalk: Sendable, Hashable {
    /// The database whose records they are.
    public var database: DatabaseNumber
    /// Only records with a greater number.
    public var above: RecordNumber
    /// Only records up to this number, which is included.
    public var through: RecordNumber
    /// Maximum number of records, at least 1.
    public var limit: Int
    /// The page ends before it contains more bytes of names and fields than this; the first record always fits.
    public var byteLimit: Int

    /// Requests a page, lowest number first, by default up to 8 MB.
    public init(
        _ database: DatabaseNumber, above: RecordNumber, through: RecordNumber, limit: Int, byteLimit: Int = 8 << 20
    ) {
        self.database = database
        self.above = above
        self.through = through
        self.limit = limit
        self.byteLimit = byteLimit
    }
}

/// The events of one database, in the order of the changes, with their records.
public struct EventScan: Sendable, Hashable {
    /// The database whose events they are.
    public var database: DatabaseNumber
    /// Maximum number of events to return, at least 1.
    public var limit: Int
    /// The page ends after the record with which it exceeds this number of bytes.
    public var byteLimit: Int

    /// Requests the oldest events, by default up to 8 MB.
    public init(_ database: DatabaseNumber, limit: Int, byteLimit: Int = 8 << 20) {
        self.database = database
        self.limit = limit
        self.byteLimit = byteLimit
    }
}

/// Heads whose annex contains data that is not at rest (``HeadAnnex/atRest(_:)``), by the numbers of their databases.
public struct AnnexScan: Sendable, Hashable {
    /// Only heads of this kind; nil for all. Lanes have the lowest numbers.
    public var kind: DatabaseKind?
    /// Only databases with a greater number; 0 for all.
    public var after: DatabaseNumber
    /// Maximum number of heads to return, at least 1.
    public var limit: Int

    /// Requests the heads with the lowest numbers.
    public init(kind: DatabaseKind? = nil, after: DatabaseNumber = 0, limit: Int) {
        self.kind = kind
        self.after = after
        self.limit = limit
    }

    /// The kinds to scan, in the order of the numbers of their databases.
    package var kinds: [DatabaseKind] { kind.map { [$0] } ?? [.publicLane, .personal] }
}
