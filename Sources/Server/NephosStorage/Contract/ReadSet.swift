public import CloudKitWire

/// The data that a decision or a response needs. The engine loads all of it from one snapshot, in one batch.
///
/// The catalog is always part of it. The results are in ``Reading``: rows of described tables are found by the scan
/// that requested them, everything else is in the order of the requests.
public struct ReadSet: Sendable {
    /// Databases whose heads to read. A commit locks the heads in ascending order, and must name every database it
    /// writes.
    public var databases: [DatabaseNumber] = []
    /// Devices whose sessions to read: the session that the row of each device names.
    public var sessionsOfDevices: [DeviceKey] = []
    /// Zones to read, each by its key.
    public var zones: [ZoneKey] = []
    /// Databases whose live zones to read, ordered by name.
    public var zoneLists: [DatabaseNumber] = []
    /// Records to read with their fields, within ``recordByteLimit``.
    public var records: [RecordKey] = []
    /// Records to read without their fields: to delete them, or to find out whether they exist.
    public var stubs: [RecordKey] = []
    /// Zones of which only the records of some shares are visible. The others do not exist for ``records``, ``stubs``, ``referrers``
    /// and ``cascades``, and do not count for their limits; only that a name is taken is shown (``Found/outside``).
    public var within: [ZoneKey: [ShareNumber]] = [:]
    /// Searches for the records that refer to others.
    public var referrers: [ReferrerScan] = []
    /// Searches for the records that reach others by references.
    public var cascades: [CascadeScan] = []
    /// Searches for what is above records.
    public var ancestors: [AncestorScan] = []
    /// Pages of what shares contain.
    public var shares: [ShareScan] = []
    /// Pages of feeds of zones.
    public var feeds: [FeedScan] = []
    /// Pages of feeds of zones for those who are in some of their shares.
    public var memberFeeds: [MemberFeedScan] = []
    /// The work limit that `feeds` share, and `memberFeeds` with them.
    public var feedBudget = FeedBudget.unlimited
    /// Pages of feeds of databases.
    public var zoneFeeds: [ZoneFeedScan] = []
    /// Pages of records by name.
    public var names: [NameScan] = []
    /// Pages of records by number.
    public var walks: [RecordWalk] = []
    /// Pages of queries.
    public var queries: [QueryScan] = []
    /// Users (people and keys) whose roles to read, from the field `roles` of their user records.
    public var memberships: [UserID] = []
    /// Rows of described tables, added with ``ask(_:)``.
    public internal(set) var scans: [any AnyScan] = []
    /// Change events, with their records.
    public var events: [EventScan] = []
    /// Searches for heads whose annex contains data.
    public var annexes: [AnnexScan] = []
    /// Whether to sum up the files that no record holds, which examines all of these files.
    public var unreferencedFiles = false
    /// `records` are loaded while their names and fields fit in this many bytes; the result for the others is
    /// ``Found/beyondLimit``. The first record is always loaded.
    public var recordByteLimit = 16 << 20
    /// Maximum number of stubs that all `referrers` return together. After that, their results are short or empty.
    public var referrerRowsMax = 1 << 20
    /// Reports when nobody waits for the result any more: queries end then, with ``StorageError/abandoned``.
    public var abandonment: Abandonment?

    /// Creates a set that requests only the catalog.
    public init() {}

    /// Whether the read takes little work, whatever is stored, so that it may run on an event loop: rows by their keys
    /// (at most 200 for each scan), pages of the feeds of databases, and at most one record with its fields.
    public var isBounded: Bool {
        isByKey && queries.isEmpty && feeds.isEmpty && memberFeeds.isEmpty && records.count <= 1
    }

    /// Whether, apart from feeds and queries, only rows by their keys are requested.
    private var isByKey: Bool {
        cascades.isEmpty && ancestors.isEmpty && shares.isEmpty && referrers.isEmpty && names.isEmpty && walks.isEmpty
            && zoneLists.isEmpty
            && events.isEmpty && annexes.isEmpty && sessionsOfDevices.isEmpty && !unreferencedFiles
            && scans.allSatisfy(\.isBounded)
    }

    /// Whether nothing is requested, except perhaps bounded scans.
    var isNothing: Bool {
        isBounded && databases.isEmpty && zones.isEmpty && records.isEmpty && stubs.isEmpty
            && zoneFeeds.isEmpty && memberships.isEmpty
    }

    /// The same set for a thread that must not block for long: feeds, queries and records that take long are given up
    /// (``isCutShort(_:)``). nil if anything else in the set may take long.
    public var brief: ReadSet? {
        guard isByKey else { return nil }
        var set = self
        set.feedBudget.rows = min(feedBudget.rows, QueryScan.briefRows)
        set.feedBudget.bytes = min(feedBudget.bytes, QueryScan.briefBytes)
        set.recordByteLimit = min(recordByteLimit, QueryScan.briefBytes)
        for index in queries.indices { set.queries[index].isBrief = true }
        return set
    }

    /// Whether a reading of ``brief`` was given up, so that it is not a valid reading of this set.
    public func isCutShort(_ reading: Reading) -> Bool {
        reading.queries.contains(where: \.isGivenUp) || reading.feedsEndedEarly
            || recordByteLimit > QueryScan.briefBytes && reading.records.contains(where: \.isBeyondLimit)
    }

    /// Appends the requests of `other` to those of this set.
    public mutating func append(_ other: ReadSet) {
        databases += other.databases
        sessionsOfDevices += other.sessionsOfDevices
        zones += other.zones
        zoneLists += other.zoneLists
        records += other.records
        stubs += other.stubs
        referrers += other.referrers
        // All that was read separately must fit when it is read together.
        referrerRowsMax += other.referrerRowsMax
        cascades += other.cascades
        ancestors += other.ancestors
        shares += other.shares
        if !other.within.isEmpty { within.merge(other.within) { _, new in new } }
        feeds += other.feeds
        memberFeeds += other.memberFeeds
        zoneFeeds += other.zoneFeeds
        names += other.names
        walks += other.walks
        queries += other.queries
        memberships += other.memberships
        scans += other.scans
        events += other.events
        annexes += other.annexes
        unreferencedFiles = unreferencedFiles || other.unreferencedFiles
    }
}
