public import CloudKitWire

/// The result for a requested record.
public enum Found: Sendable, Equatable {
    /// The record or its zone does not exist.
    case absent
    /// The record, with its fields.
    case record(RecordRow)
    /// The record exists, but the byte limit of the read did not suffice for it.
    case beyondLimit
    /// The name is taken, by a record outside of the visible shares (``ReadSet/within``).
    case outside

    package var isBeyondLimit: Bool { if case .beyondLimit = self { true } else { false } }
}

/// A record without its fields: enough to delete or to replace it.
public struct RecordStub: Sendable, Equatable {
    /// The database that the record is in.
    public var database: DatabaseNumber
    /// The number of the zone that the record is in.
    public var zone: ZoneNumber
    /// The number of the record in its database.
    public var number: RecordNumber
    /// The name of the record.
    public var name: Name
    /// The sequence of the save that wrote its content: its change tag.
    public var tagSequence: Sequence
    /// The number of its type.
    public var type: TypeNumber
    /// When it was created, in milliseconds since 1970.
    public var createdAt: Milliseconds
    /// Who created it.
    public var createdBy: UserID
    /// Bytes of its name and fields.
    public var storedBytes: Int64
    /// How many references it holds.
    public var referenceCount: Int64
    /// What kinds of values its fields hold.
    public var flags: RecordRow.Flags
    /// The share that it is part of (``RecordRow/share``).
    public var share: ShareNumber?

    /// Creates a stub from its columns.
    public init(
        database: DatabaseNumber, zone: ZoneNumber, number: RecordNumber, name: Name, tagSequence: Sequence,
        type: TypeNumber, createdAt: Milliseconds, createdBy: UserID, storedBytes: Int64, referenceCount: Int64,
        flags: RecordRow.Flags, share: ShareNumber? = nil
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
        self.share = share
    }

    /// Creates a stub from a record, without its fields.
    public init(_ record: RecordRow) {
        self.init(
            database: record.database, zone: record.zone, number: record.number, name: record.name,
            tagSequence: record.tagSequence, type: record.type, createdAt: record.createdAt,
            createdBy: record.createdBy,
            storedBytes: record.storedBytes, referenceCount: record.referenceCount,
            flags: record.flags, share: record.share)
    }
}

/// A record and what is above it.
public struct AncestorLine: Sendable, Equatable {
    /// The record, its parent, the parent of that, and so on; empty if there is no such record.
    public var records: [RecordStub]
    /// The parent of the last one, if it has one: a record that does not exist, one of ``records``, in a cycle, or one beyond the
    /// limit.
    public var next: Name?

    /// Creates a line.
    public init(records: [RecordStub], next: Name?) {
        self.records = records
        self.next = next
    }
}

/// One step of a cascade: `record` holds a reference to `target` of the kind that is followed.
public struct CascadeEdge: Sendable, Equatable {
    /// The name of the record that is referred to.
    public var target: Name
    /// The record that is deleted along with it.
    public var record: RecordStub

    /// Creates the step from a target to a record that refers to it.
    public init(target: Name, record: RecordStub) {
        self.target = target
        self.record = record
    }
}

/// One entry of a zone's feed.
public enum FeedChange: Sendable, Equatable {
    /// A record that exists, in its latest state.
    case record(RecordRow)
    /// The tombstone of a record that was deleted.
    case tombstone(TombstoneRow)
    /// A record left a share.
    indirect case departure(DepartureRow)

    /// The position of the change in the feed of its zone.
    public var sequence: Sequence {
        switch self {
        case .record(let row): row.sequence
        case .tombstone(let row): row.sequence
        case .departure(let row): row.sequence
        }
    }
}

/// A page of a zone's feed.
public struct FeedPage: Sendable, Equatable {
    /// The changes, in the requested order.
    public var changes: [FeedChange]
    /// Everything up to here (with `reverse`: down to here) was examined; the next page continues from it.
    public var position: Sequence
    /// Whether there are changes after the page.
    public var more: Bool

    /// Creates a page.
    public init(changes: [FeedChange], position: Sequence, more: Bool) {
        self.changes = changes
        self.position = position
        self.more = more
    }
}

/// A page of a zone's feed for somebody who is in some of its shares.
public struct MemberFeedPage: Sendable, Equatable {
    /// The changes, in order.
    public var changes: [FeedChange]
    /// Where the next page continues. Its sequence is `.max` if it began at the start.
    public var position: MemberFeedScan.Position
    /// Whether there are changes after the page. Otherwise everything up to the end of the zone was examined.
    public var more: Bool

    /// Creates a page.
    public init(changes: [FeedChange], position: MemberFeedScan.Position, more: Bool) {
        self.changes = changes
        self.position = position
        self.more = more
    }
}

/// A page of a database's feed.
public struct ZoneFeedPage: Sendable, Equatable {
    /// The zones, oldest change first, including dead zones.
    public var zones: [ZoneRow]
    /// Everything up to here was examined; the next page continues after it.
    public var position: Sequence
    /// Whether there are zones after the page.
    public var more: Bool

    /// Creates a page.
    public init(zones: [ZoneRow], position: Sequence, more: Bool) {
        self.zones = zones
        self.position = position
        self.more = more
    }
}

/// A page of records by name.
public struct NamePage: Sendable, Equatable {
    /// The records, by zone number and name.
    public var records: [RecordRow]
    /// Where the next page continues; nil at the end. Even after a short or empty page there may be a next one.
    public var next: NameScan.Position?
    /// The number of rows that were examined.
    public var examined: Int

    /// Creates a page.
    public init(records: [RecordRow], next: NameScan.Position?, examined: Int) {
        self.records = records
        self.next = next
        self.examined = examined
    }
}

/// A page of the records of a database by number.
public struct WalkPage: Sendable, Equatable {
    /// The records, lowest number first.
    public var records: [RecordRow]
    /// Every record up to this number was examined: the next page continues above it.
    public var position: RecordNumber

    /// Creates a page.
    public init(records: [RecordRow], position: RecordNumber) {
        self.records = records
        self.position = position
    }
}

/// The results for a ``ReadSet``, from one snapshot. Unless stated otherwise, each array has one element for each
/// request, in the same order.
public struct Reading: Sendable {
    /// The catalog at the moment of the snapshot.
    public var catalog: Catalog
    /// Heads of ``ReadSet/databases``; nil for a database that does not exist.
    public var databases: [HeadRow?] = []
    /// Zones of ``ReadSet/zones``; nil for one that does not exist.
    public var zones: [ZoneRow?] = []
    /// Results of ``ReadSet/records``.
    public var records: [Found] = []
    /// Stubs of ``ReadSet/stubs``; nil for a record that does not exist.
    public var stubs: [RecordStub?] = []
    /// Pages of ``ReadSet/feeds``.
    public var feeds: [FeedPage] = []
    /// The total work of ``feeds`` and ``memberFeeds``.
    public var feedWork = ReadWork()
    /// Whether ``ReadSet/feedBudget`` ended a page of ``feeds`` or ``memberFeeds``.
    public var feedsEndedEarly = false
    /// Pages of ``ReadSet/zoneFeeds``.
    public var zoneFeeds: [ZoneFeedPage] = []
    /// Pages of ``ReadSet/queries``.
    public var queries: [QueryPage] = []
    /// Roles of each of ``ReadSet/memberships``: the numbers of the roles that the user has in addition to the built-in
    /// ones, ascending.
    public var memberships: [[Int64]] = []
    /// Rows of ``ReadSet/scans``.
    public var found = FoundRows()
    /// What each earlier call of this decision would have done, always too much (``CommitReport/isTooLarge``): the decision
    /// must write less now, or refuse. If it repeatedly does neither, the commit fails.
    public var oversized: [CommitReport] = []

    private var rare: SharedBox<Rare>?

    /// Creates a reading that contains only the catalog.
    public init(catalog: Catalog) { self.catalog = catalog }

    // MARK: Results of rare requests

    /// As in ``ReadSet``: one reference, or none.
    private struct Rare: Sendable {
        var sessionsOfDevices: [SessionRow] = []
        var zoneLists: [[ZoneRow]] = []
        var shareVersions: [Int64?] = []
        var referrers: [[RecordStub]] = []
        var cascades: [[CascadeEdge]] = []
        var ancestors: [AncestorLine] = []
        var shares: [FeedPage] = []
        var memberFeeds: [MemberFeedPage] = []
        var names: [NamePage] = []
        var walks: [WalkPage] = []
        var events: [[WatchedChange]] = []
        var annexes: [[HeadRow]] = []
        var unreferencedFiles: UnreferencedFiles = UnreferencedFiles()
    }

    private var changed: Rare {
        get { rare?.value ?? Rare() }
        _modify { yield &SharedBox.change(&rare, Rare()).value }
    }

    /// The sessions of ``ReadSet/sessionsOfDevices`` that exist, each once, in any order.
    public var sessionsOfDevices: [SessionRow] {
        get { rare?.value.sessionsOfDevices ?? [] }
        _modify { yield &changed.sessionsOfDevices }
    }
    /// Live zones of each database of ``ReadSet/zoneLists``, by name.
    public var zoneLists: [[ZoneRow]] {
        get { rare?.value.zoneLists ?? [] }
        _modify { yield &changed.zoneLists }
    }
    /// The version of each of ``ReadSet/shareVersions``; nil for a database that does not exist.
    public var shareVersions: [Int64?] {
        get { rare?.value.shareVersions ?? [] }
        _modify { yield &changed.shareVersions }
    }
    /// Records of each of ``ReadSet/referrers``.
    public var referrers: [[RecordStub]] {
        get { rare?.value.referrers ?? [] }
        _modify { yield &changed.referrers }
    }
    /// Steps of each of ``ReadSet/cascades``.
    public var cascades: [[CascadeEdge]] {
        get { rare?.value.cascades ?? [] }
        _modify { yield &changed.cascades }
    }
    /// Results of ``ReadSet/ancestors``.
    public var ancestors: [AncestorLine] {
        get { rare?.value.ancestors ?? [] }
        _modify { yield &changed.ancestors }
    }
    /// Pages of ``ReadSet/shares``.
    public var shares: [FeedPage] {
        get { rare?.value.shares ?? [] }
        _modify { yield &changed.shares }
    }
    /// Pages of ``ReadSet/memberFeeds``.
    public var memberFeeds: [MemberFeedPage] {
        get { rare?.value.memberFeeds ?? [] }
        _modify { yield &changed.memberFeeds }
    }
    /// Pages of ``ReadSet/names``.
    public var names: [NamePage] {
        get { rare?.value.names ?? [] }
        _modify { yield &changed.names }
    }
    /// Pages of ``ReadSet/walks``.
    public var walks: [WalkPage] {
        get { rare?.value.walks ?? [] }
        _modify { yield &changed.walks }
    }
    /// Events of each of ``ReadSet/events``.
    public var events: [[WatchedChange]] {
        get { rare?.value.events ?? [] }
        _modify { yield &changed.events }
    }
    /// Heads of each of ``ReadSet/annexes``.
    public var annexes: [[HeadRow]] {
        get { rare?.value.annexes ?? [] }
        _modify { yield &changed.annexes }
    }
    /// The files that no record holds, if ``ReadSet/unreferencedFiles`` requested them.
    public var unreferencedFiles: UnreferencedFiles {
        get { rare?.value.unreferencedFiles ?? UnreferencedFiles() }
        _modify { yield &changed.unreferencedFiles }
    }

    // MARK: Work

    /// The total work of records, feeds and queries.
    public var work: ReadWork {
        var work = feedWork
        for case .record(let row) in records { work += ReadWork(records: 1, bytes: Int(row.storedBytes)) }
        for page in queries { work += page.work }
        return work
    }
}
