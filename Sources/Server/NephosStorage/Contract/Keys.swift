public import CloudKitWire

/// Which zone: the live incarnation of a name, or one incarnation whatever its state.
public enum ZoneKey: Sendable, Hashable {
    /// The zone of this name that lives now, if there is one.
    case name(DatabaseNumber, Name)
    /// One incarnation by its number, living or dead.
    case number(DatabaseNumber, ZoneNumber)

    /// The database that the zone is in.
    public var database: DatabaseNumber {
        switch self {
        case .name(let database, _), .number(let database, _): database
        }
    }
}

/// Which record.
public struct RecordKey: Sendable, Hashable {
    /// The zone that the record is in.
    public var zone: ZoneKey
    /// The name of the record, unique in its zone across types.
    public var name: Name

    /// Names a record by its zone and its name.
    public init(zone: ZoneKey, name: Name) {
        self.zone = zone
        self.name = name
    }
}

/// Who names a record: the records of the zone that hold a reference of one of `kinds` to `target`.
public struct ReferrerScan: Sendable, Hashable {
    /// The zone of the records and of the target.
    public var zone: ZoneKey
    /// The name of the record that is named.
    public var target: Name
    /// The kind of the references.
    public var kind: ReferenceKind
    /// Most rows to answer, at least 1. Referrers come by record number.
    public var limit: Int

    /// Asks for the first `limit` referrers.
    public init(zone: ZoneKey, target: Name, kind: ReferenceKind, limit: Int) {
        self.zone = zone
        self.target = target
        self.kind = kind
        self.limit = limit
    }
}

/// Everything that goes when `roots` go: the records that reach one of them over DELETE_SELF references, at any
/// distance, cycles included. The roots themselves are answered only if they are reached.
public struct CascadeScan: Sendable, Hashable {
    /// The zone of the records.
    public var zone: ZoneKey
    /// The names of the records that go.
    public var roots: [Name]
    /// Most edges to answer, at least 1.
    public var limit: Int

    /// Asks for the first `limit` edges.
    public init(zone: ZoneKey, roots: [Name], limit: Int) {
        self.zone = zone
        self.roots = roots
        self.limit = limit
    }
}

/// A page of a zone's feed: its records in their latest state and its tombstones, by sequence.
public struct FeedScan: Sendable, Hashable {
    /// The zone whose feed it is.
    public var zone: ZoneKey
    /// Only changes after this sequence; with `reverse`, only changes before it.
    public var bound: Sequence
    /// Newest first.
    public var reverse: Bool
    /// Tombstones up to this sequence are left out: the client never saw what they bury.
    public var tombstonesAfter: Sequence
    /// Only these types; nil for all. An empty set answers nothing but moves on.
    public var types: Set<TypeNumber>?
    /// Most changes in the page, at least 1.
    public var limit: Int
    /// The page ends before it holds more bytes of names and fields than this; the first change always fits.
    public var byteLimit: Int
    /// Most rows to look at, for a page that filters by type.
    public var examinedLimit: Int

    /// Asks for a page; by default the oldest changes first, all types, up to 8 MB and 10,000 rows.
    public init(
        zone: ZoneKey, bound: Sequence, reverse: Bool = false, tombstonesAfter: Sequence = 0,
        types: Set<TypeNumber>? = nil, limit: Int, byteLimit: Int = 8 << 20, examinedLimit: Int = 10_000
    ) {
        self.zone = zone
        self.bound = bound
        self.reverse = reverse
        self.tombstonesAfter = tombstonesAfter
        self.types = types
        self.limit = limit
        self.byteLimit = byteLimit
        self.examinedLimit = examinedLimit
    }
}

/// What all feeds of a read set may take together. They are read one after the other; a page ends where nothing is left, even
/// before its first change, and says that there is more.
public struct FeedBudget: Sendable, Hashable {
    /// Most rows to look at, at least 1.
    public var rows: Int
    /// Most bytes of names and fields; the first change of all always fits.
    public var bytes: Int

    /// Creates a budget of rows and bytes.
    public init(rows: Int, bytes: Int) {
        self.rows = rows
        self.bytes = bytes
    }

    /// No limit but those of each feed.
    public static let unlimited = FeedBudget(rows: .max, bytes: .max)
}

/// A page of a database's feed: its zones by the sequence of their last change, dead ones included, the default
/// zone left out.
public struct ZoneFeedScan: Sendable, Hashable {
    /// The database whose zones they are.
    public var database: DatabaseNumber
    /// Only zones that changed after this sequence.
    public var after: Sequence
    /// Dead zones deleted up to this sequence are left out: the client never saw them.
    public var deletedAfter: Sequence
    /// Most zones to answer, at least 1.
    public var limit: Int

    /// Asks for a page, oldest change first.
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
    /// Where the last page ended: the page starts after this.
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
    /// Only what this user created; nil for everybody's.
    public var createdBy: UserID?
    /// Where the last page ended; nil for the first page.
    public var after: Position?
    /// Most records to answer, at least 1.
    public var limit: Int
    /// The page ends before it holds more bytes of names and fields than this; the first record always fits.
    public var byteLimit: Int
    /// Most rows to look at; a page that reaches this is short, and goes on.
    public var examinedLimit: Int

    /// Asks for a page; by default all types, everybody's, up to 8 MB and 10,000 rows.
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

/// A page of the records of a database in the order of their numbers, which is that in which they were made and never changes. Records of
/// zones that were deleted are among them until they are swept.
public struct RecordWalk: Sendable, Hashable {
    /// The database whose records they are.
    public var database: DatabaseNumber
    /// Only records with a greater number.
    public var above: RecordNumber
    /// The last number.
    public var through: RecordNumber
    /// Most records, at least 1.
    public var limit: Int
    /// The page ends before it has more bytes of names and fields; the first record always fits.
    public var byteLimit: Int

    /// Asks for a page, lowest number first, by default up to 8 MB.
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
    /// Most events to answer, at least 1.
    public var limit: Int
    /// The page ends behind the record with which it has more bytes than this.
    public var byteLimit: Int

    /// Asks for the oldest events, by default up to 8 MB.
    public init(_ database: DatabaseNumber, limit: Int, byteLimit: Int = 8 << 20) {
        self.database = database
        self.limit = limit
        self.byteLimit = byteLimit
    }
}

/// Heads in whose annex something is kept that is not at rest (``HeadAnnex/atRest(_:)``), by the numbers of their databases.
public struct AnnexScan: Sendable, Hashable {
    /// Only heads of this kind; nil for all. Lanes have the lowest numbers.
    public var kind: DatabaseKind?
    /// Only databases with a greater number; 0 for all.
    public var after: DatabaseNumber
    /// Most heads to answer, at least 1.
    public var limit: Int

    /// Asks for the heads with the lowest numbers.
    public init(kind: DatabaseKind? = nil, after: DatabaseNumber = 0, limit: Int) {
        self.kind = kind
        self.after = after
        self.limit = limit
    }

    /// In the order of the numbers of their databases.
    package var kinds: [DatabaseKind] { kind.map { [$0] } ?? [.publicLane, .personal] }
}
