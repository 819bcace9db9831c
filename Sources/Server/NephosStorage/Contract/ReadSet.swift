public import CloudKitWire

/// What a decision or an answer must see. The engine loads all of it from one snapshot, in one batch.
///
/// The catalog is always part of it. Results come back in ``Reading``: rows of described tables by the scan that asked for
/// them, all else position by position.
public struct ReadSet: Sendable {
    /// Heads. A commit locks them in ascending order, and must name every database it writes.
    public var databases: [DatabaseNumber] = []
    /// Devices of which the sessions that they name are to be read.
    public var sessionsOfDevices: [DeviceKey] = []
    /// Zones to read, one by one.
    public var zones: [ZoneKey] = []
    /// All live zones of these databases, by name.
    public var zoneLists: [DatabaseNumber] = []
    /// Records to read with their fields, within ``recordByteLimit``.
    public var records: [RecordKey] = []
    /// Records whose fields nobody needs to see: to delete them, or to know that they exist.
    public var stubs: [RecordKey] = []
    /// Which records name others.
    public var referrers: [ReferrerScan] = []
    /// What goes when records go.
    public var cascades: [CascadeScan] = []
    /// Pages of feeds of zones.
    public var feeds: [FeedScan] = []
    /// What `feeds` may take together.
    public var feedBudget = FeedBudget.unlimited
    /// Pages of feeds of databases.
    public var zoneFeeds: [ZoneFeedScan] = []
    /// Pages of records by name.
    public var names: [NameScan] = []
    /// Pages of records by number.
    public var walks: [RecordWalk] = []
    /// Pages of queries.
    public var queries: [QueryScan] = []
    /// Roles of the people and keys, by user: what the field `roles` of their user records says.
    public var memberships: [UserID] = []
    /// Rows of described tables: ``ask(_:)``.
    public internal(set) var scans: [any AnyScan] = []
    /// Change events, with their records.
    public var events: [EventScan] = []
    /// Heads in whose annex something is kept.
    public var annexes: [AnnexScan] = []
    /// Whether to add up the files that no record holds, which looks at all of them.
    public var unreferencedFiles = false
    /// `records` are loaded while their names and fields fit in this many bytes; the rest answers
    /// ``Found/beyondLimit``. The first is always loaded.
    public var recordByteLimit = 16 << 20
    /// Most stubs that all `referrers` answer together. Past it their answers are short, or empty.
    public var referrerRowsMax = 1 << 20
    /// Where somebody says that nobody waits for the answer any more: queries end then, with ``StorageError/abandoned``.
    public var abandonment: Abandonment?

    /// Creates a set that asks for the catalog alone.
    public init() {}

    /// What is asked for takes little, whatever is stored: rows by their keys, at most 200 of a kind, and one record with its
    /// fields. The read may run on an event loop.
    public var isBounded: Bool { isByKey && queries.isEmpty && feeds.isEmpty && records.count <= 1 }

    /// Only rows by their keys are asked for, beside feeds and queries.
    private var isByKey: Bool {
        cascades.isEmpty && referrers.isEmpty && names.isEmpty && walks.isEmpty && zoneLists.isEmpty
            && events.isEmpty && annexes.isEmpty && sessionsOfDevices.isEmpty && !unreferencedFiles
            && scans.allSatisfy(\.isBounded)
    }

    /// Nothing is asked for.
    var isNothing: Bool {
        isBounded && databases.isEmpty && zones.isEmpty && records.isEmpty && stubs.isEmpty
            && zoneFeeds.isEmpty && memberships.isEmpty
    }

    /// The same for a thread that others wait for: what takes long is given up (``isCutShort(_:)``). nil where something
    /// else may take long.
    public var brief: ReadSet? {
        guard isByKey else { return nil }
        var set = self
        set.feedBudget.rows = min(feedBudget.rows, QueryScan.briefRows)
        set.feedBudget.bytes = min(feedBudget.bytes, QueryScan.briefBytes)
        set.recordByteLimit = min(recordByteLimit, QueryScan.briefBytes)
        for index in queries.indices { set.queries[index].isBrief = true }
        return set
    }

    /// Whether a reading of ``brief`` was given up, so that it is no reading of this set.
    public func isCutShort(_ reading: Reading) -> Bool {
        reading.queries.contains(where: \.isGivenUp) || reading.feedsEndedEarly
            || recordByteLimit > QueryScan.briefBytes && reading.records.contains(where: \.isBeyondLimit)
    }

    /// Adds what `other` asks for behind what is asked already.
    public mutating func append(_ other: ReadSet) {
        databases += other.databases
        sessionsOfDevices += other.sessionsOfDevices
        zones += other.zones
        zoneLists += other.zoneLists
        records += other.records
        stubs += other.stubs
        referrers += other.referrers
        // What was read once must fit again beside what is read with it.
        referrerRowsMax += other.referrerRowsMax
        cascades += other.cascades
        feeds += other.feeds
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
