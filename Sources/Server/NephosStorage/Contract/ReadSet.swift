public import CloudKitWire

/// The data that a decision or a response needs. The engine loads all of it from one snapshot, in one batch.
///
/// The catalog is always part of it. The results are in ``Reading``: rows of described tables are found by the scan
/// that requested them, everything else is in the order of the requests.
public struct ReadSet: Sendable {
    /// Databases whose heads to read. A commit locks the heads in ascending order, and must name every database it
    /// writes.
    public var databases: [DatabaseNumber] = []
    /// Zones to read, each by its key.
    public var zones: [ZoneKey] = []
    /// Records to read with their fields, within ``recordByteLimit``.
    public var records: [RecordKey] = []
    /// Records to read without their fields: to delete them, or to find out whether they exist.
    public var stubs: [RecordKey] = []
    /// Pages of feeds of zones.
    public var feeds: [FeedScan] = []
    /// The work limit that `feeds` share, and `memberFeeds` with them.
    public var feedBudget = FeedBudget.unlimited
    /// Pages of feeds of databases.
    public var zoneFeeds: [ZoneFeedScan] = []
    /// Pages of queries.
    public var queries: [QueryScan] = []
    /// Users (people and keys) whose roles to read, from the field `roles` of their user records.
    public var memberships: [UserID] = []
    /// Rows of described tables, added with ``ask(_:)``.
    public internal(set) var scans: [any AnyScan] = []
    /// `records` are loaded while their names and fields fit in this many bytes; the result for the others is
    /// ``Found/beyondLimit``. The first record is always loaded.
    public var recordByteLimit = 16 << 20
    /// Maximum number of stubs that all `referrers` return together. After that, their results are short or empty.
    public var referrerRowsMax = 1 << 20
    /// Reports when nobody waits for the result any more: queries end then, with ``StorageError/abandoned``.
    public var abandonment: Abandonment?

    private var rare: SharedBox<Rare>?

    /// Creates a set that requests only the catalog.
    public init() {}

    // MARK: Rare requests

    /// What few sets request. A set is copied several times on its way to an engine, and each array costs in each copy: these are one
    /// reference, or none.
    fileprivate struct Rare: Sendable {
        var sessionsOfDevices: [DeviceKey] = []
        var zoneLists: [DatabaseNumber] = []
        var shareVersions: [DatabaseNumber] = []
        var within: [ZoneKey: [ShareNumber]] = [:]
        var referrers: [ReferrerScan] = []
        var cascades: [CascadeScan] = []
        var ancestors: [AncestorScan] = []
        var shares: [ShareScan] = []
        var memberFeeds: [MemberFeedScan] = []
        var names: [NameScan] = []
        var walks: [RecordWalk] = []
        var events: [EventScan] = []
        var annexes: [AnnexScan] = []
        var unreferencedFiles: Bool = false
    }

    private var changed: Rare {
        get { rare?.value ?? Rare() }
        _modify { yield &SharedBox.change(&rare, Rare()).value }
    }

    /// Devices whose sessions to read: the session that the row of each device names.
    public var sessionsOfDevices: [DeviceKey] {
        get { rare?.value.sessionsOfDevices ?? [] }
        _modify { yield &changed.sessionsOfDevices }
    }
    /// Databases whose live zones to read, ordered by name.
    public var zoneLists: [DatabaseNumber] {
        get { rare?.value.zoneLists ?? [] }
        _modify { yield &changed.zoneLists }
    }
    /// Databases whose ``HeadRow/sharesVersion`` to read. A commit does not lock them for it.
    public var shareVersions: [DatabaseNumber] {
        get { rare?.value.shareVersions ?? [] }
        _modify { yield &changed.shareVersions }
    }
    /// Zones of which only the records of some shares are visible. The others do not exist for ``records``, ``stubs``, ``referrers``
    /// and ``cascades``, and do not count for their limits; only that a name is taken is shown (``Found/outside``).
    public var within: [ZoneKey: [ShareNumber]] {
        get { rare?.value.within ?? [:] }
        _modify { yield &changed.within }
    }
    /// Searches for the records that refer to others.
    public var referrers: [ReferrerScan] {
        get { rare?.value.referrers ?? [] }
        _modify { yield &changed.referrers }
    }
    /// Searches for the records that reach others by references.
    public var cascades: [CascadeScan] {
        get { rare?.value.cascades ?? [] }
        _modify { yield &changed.cascades }
    }
    /// Searches for what is above records.
    public var ancestors: [AncestorScan] {
        get { rare?.value.ancestors ?? [] }
        _modify { yield &changed.ancestors }
    }
    /// Pages of what shares contain.
    public var shares: [ShareScan] {
        get { rare?.value.shares ?? [] }
        _modify { yield &changed.shares }
    }
    /// Pages of feeds of zones for those who are in some of their shares.
    public var memberFeeds: [MemberFeedScan] {
        get { rare?.value.memberFeeds ?? [] }
        _modify { yield &changed.memberFeeds }
    }
    /// Pages of records by name.
    public var names: [NameScan] {
        get { rare?.value.names ?? [] }
        _modify { yield &changed.names }
    }
    /// Pages of records by number.
    public var walks: [RecordWalk] {
        get { rare?.value.walks ?? [] }
        _modify { yield &changed.walks }
    }
    /// Change events, with their records.
    public var events: [EventScan] {
        get { rare?.value.events ?? [] }
        _modify { yield &changed.events }
    }
    /// Searches for heads whose annex contains data.
    public var annexes: [AnnexScan] {
        get { rare?.value.annexes ?? [] }
        _modify { yield &changed.annexes }
    }
    /// Whether to sum up the files that no record holds, which examines all of these files.
    public var unreferencedFiles: Bool {
        get { rare?.value.unreferencedFiles ?? false }
        _modify { yield &changed.unreferencedFiles }
    }

    // MARK: Kinds

    /// Whether the read takes little work, whatever is stored, so that it may run on an event loop: rows by their keys
    /// (at most 201 for each scan), pages of the feeds of databases, and at most one record with its fields.
    public var isBounded: Bool {
        isByKey && queries.isEmpty && feeds.isEmpty && memberFeeds.isEmpty && records.count <= 1
    }

    /// Whether, apart from feeds and queries, only rows by their keys are requested.
    private var isByKey: Bool {
        (rare == nil
            || cascades.isEmpty && ancestors.isEmpty && shares.isEmpty && referrers.isEmpty && names.isEmpty
                && walks.isEmpty && zoneLists.isEmpty && events.isEmpty && annexes.isEmpty && sessionsOfDevices.isEmpty
                && !unreferencedFiles)
            && scans.allSatisfy(\.isBounded)
    }

    /// Whether nothing is requested, except perhaps bounded scans.
    var isNothing: Bool {
        isBounded && databases.isEmpty && zones.isEmpty && records.isEmpty && stubs.isEmpty
            && zoneFeeds.isEmpty && memberships.isEmpty && shareVersions.isEmpty
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
        zones += other.zones
        records += other.records
        stubs += other.stubs
        // All that was read separately must fit when it is read together.
        referrerRowsMax += other.referrerRowsMax
        feeds += other.feeds
        zoneFeeds += other.zoneFeeds
        queries += other.queries
        memberships += other.memberships
        scans += other.scans
        if let rare = other.rare { changed.append(rare.value) }
    }
}

extension ReadSet.Rare {
    fileprivate mutating func append(_ other: Self) {
        sessionsOfDevices += other.sessionsOfDevices
        zoneLists += other.zoneLists
        shareVersions += other.shareVersions
        within.merge(other.within) { _, new in new }
        referrers += other.referrers
        cascades += other.cascades
        ancestors += other.ancestors
        shares += other.shares
        memberFeeds += other.memberFeeds
        names += other.names
        walks += other.walks
        events += other.events
        annexes += other.annexes
        unreferencedFiles = unreferencedFiles || other.unreferencedFiles
    }
}

/// A value that copies of a set share until one of them changes it.
final class SharedBox<Value: Sendable>: @unchecked Sendable {
    // Changed only by the one set that refers to it.
    var value: Value

    private init(_ value: Value) { self.value = value }

    /// The box to change: the given one if nothing else refers to it, otherwise a copy in its place.
    static func change(_ box: inout SharedBox?, _ initial: @autoclosure () -> Value) -> SharedBox {
        if isKnownUniquelyReferenced(&box), let box { return box }
        let copy = SharedBox(box?.value ?? initial())
        box = copy
        return copy
    }
}
