public import CloudKitWire

/// What became of a record that was asked for.
public enum Found: Sendable, Equatable {
    /// There is no such record, or no such zone.
    case absent
    case record(RecordRow)
    /// The record exists, but the byte limit of the read was used up before it.
    case beyondLimit

    package var isBeyondLimit: Bool { if case .beyondLimit = self { true } else { false } }
}

/// A record without its fields: enough to delete or to replace it.
public struct RecordStub: Sendable, Equatable {
    public var database: DatabaseNumber
    public var zone: ZoneNumber
    public var number: RecordNumber
    public var name: Name
    public var tagSequence: Sequence
    public var type: TypeNumber
    public var createdAt: Milliseconds
    public var createdBy: UserID
    public var storedBytes: Int64
    public var referenceCount: Int64
    public var flags: RecordRow.Flags

    public init(
        database: DatabaseNumber, zone: ZoneNumber, number: RecordNumber, name: Name, tagSequence: Sequence,
        type: TypeNumber, createdAt: Milliseconds, createdBy: UserID, storedBytes: Int64, referenceCount: Int64,
        flags: RecordRow.Flags
    ) {
        self.database = database
        self.zone = zone
        self.number = number
        self.name = name
        self.tagSequence = tagSequence
        self.type = type
        self.createdAt = createdAt
        self.createdBy = createdBy
        self.storedBytes = storedBytes
        self.referenceCount = referenceCount
        self.flags = flags
    }

    public init(_ record: RecordRow) {
        self.init(
            database: record.database, zone: record.zone, number: record.number, name: record.name,
            tagSequence: record.tagSequence, type: record.type, createdAt: record.createdAt,
            createdBy: record.createdBy,
            storedBytes: record.storedBytes, referenceCount: record.referenceCount,
            flags: record.flags)
    }
}

/// One step of a cascade: `record` holds a DELETE_SELF reference to `target`.
public struct CascadeEdge: Sendable, Equatable {
    public var target: Name
    public var record: RecordStub

    public init(target: Name, record: RecordStub) {
        self.target = target
        self.record = record
    }
}

/// One entry of a zone's feed.
public enum FeedChange: Sendable, Equatable {
    case record(RecordRow)
    case tombstone(TombstoneRow)

    public var sequence: Sequence {
        switch self {
        case .record(let row): row.sequence
        case .tombstone(let row): row.sequence
        }
    }
}

/// A page of a zone's feed.
public struct FeedPage: Sendable, Equatable {
    public var changes: [FeedChange]
    /// Everything up to here (with `reverse`: down to here) was looked at; the next page goes on from it.
    public var position: Sequence
    /// There are changes beyond the page.
    public var more: Bool

    public init(changes: [FeedChange], position: Sequence, more: Bool) {
        self.changes = changes
        self.position = position
        self.more = more
    }
}

/// A page of a database's feed.
public struct ZoneFeedPage: Sendable, Equatable {
    public var zones: [ZoneRow]
    public var position: Sequence
    public var more: Bool

    public init(zones: [ZoneRow], position: Sequence, more: Bool) {
        self.zones = zones
        self.position = position
        self.more = more
    }
}

/// A page of records by name.
public struct NamePage: Sendable, Equatable {
    public var records: [RecordRow]
    /// Where the next page goes on; nil at the end. A page may be short, even empty, and still go on.
    public var next: NameScan.Position?
    /// Rows that were looked at.
    public var examined: Int

    public init(records: [RecordRow], next: NameScan.Position?, examined: Int) {
        self.records = records
        self.next = next
        self.examined = examined
    }
}

/// A page of the records of a database by number.
public struct WalkPage: Sendable, Equatable {
    public var records: [RecordRow]
    /// Every record up to here was looked at: the next page goes on above it.
    public var position: RecordNumber

    public init(records: [RecordRow], position: RecordNumber) {
        self.records = records
        self.position = position
    }
}

/// What one snapshot held for a ``ReadSet``, position by position.
public struct Reading: Sendable {
    public var catalog: Catalog
    public var databases: [HeadRow?] = []
    /// Those that are there, each once, in any order.
    public var sessionsOfDevices: [SessionRow] = []
    public var zones: [ZoneRow?] = []
    public var zoneLists: [[ZoneRow]] = []
    public var records: [Found] = []
    public var stubs: [RecordStub?] = []
    public var referrers: [[RecordStub]] = []
    public var cascades: [[CascadeEdge]] = []
    public var feeds: [FeedPage] = []
    /// What `feeds` took, and whether ``ReadSet/feedBudget`` ended a page of them.
    public var feedWork = ReadWork()
    public var feedsEndedEarly = false
    public var zoneFeeds: [ZoneFeedPage] = []
    public var names: [NamePage] = []
    public var walks: [WalkPage] = []
    public var queries: [QueryPage] = []
    /// Numbers of the roles that a user holds beside the built-in ones, ascending.
    public var memberships: [[Int64]] = []
    /// Of ``ReadSet/scans``.
    public var found = FoundRows()
    public var events: [[WatchedChange]] = []
    public var annexes: [[HeadRow]] = []
    public var unheldFiles = UnheldFiles()
    /// How many rows and index entries this decision would have touched when it was called before, each time more than
    /// ``commitRowsMax``: it writes less now, or refuses. One that does not is the commit's failure.
    public var oversized: [Int] = []

    public init(catalog: Catalog) { self.catalog = catalog }

    /// What records, feeds and queries took together.
    public var work: ReadWork {
        var work = feedWork
        for case .record(let row) in records { work += ReadWork(records: 1, bytes: Int(row.storedBytes)) }
        for page in queries { work += page.work }
        return work
    }
}
