public import CloudKitWire

/// What a decision or an answer must see. The engine loads all of it from one snapshot, in one batch.
///
/// The catalog is always part of it. Results come back in ``Reading``, position by position.
public struct ReadSet: Sendable {
    /// Heads. A commit locks them in ascending order, and must name every database it writes.
    public var databases: [DatabaseNumber] = []
    /// Sessions by id.
    public var sessions: [[UInt8]] = []
    public var users: [UserKey] = []
    public var zones: [ZoneKey] = []
    /// All live zones of these databases, by name.
    public var zoneLists: [DatabaseNumber] = []
    public var records: [RecordKey] = []
    /// Records whose fields nobody needs to see: to delete them, or to know that they exist.
    public var stubs: [RecordKey] = []
    public var referrers: [ReferrerScan] = []
    public var cascades: [CascadeScan] = []
    public var feeds: [FeedScan] = []
    public var zoneFeeds: [ZoneFeedScan] = []
    public var names: [NameScan] = []
    public var queries: [QueryScan] = []
    /// All indexes of these databases, by number.
    public var indexLists: [DatabaseNumber] = []
    /// Roles of the people and keys, by user: what the field `roles` of their user records says.
    public var memberships: [UserID] = []
    public var trash: [TrashScan] = []
    public var subscriptions: [SubscriptionScan] = []
    public var events: [EventScan] = []
    public var devices: [DeviceScan] = []
    public var deliveries: [DeliveryScan] = []
    public var pushLogs: [PushLogScan] = []
    public var assets: [AssetKey] = []
    public var assetLists: [AssetScan] = []
    /// Most cascades that wait to be carried on; 0 for none.
    public var pendingCascadesMax = 0
    /// `records` are loaded while their names and fields fit in this many bytes; the rest answers
    /// ``Found/beyondLimit``. The first is always loaded.
    public var recordByteLimit = 16 << 20

    public init() {}

    /// The number of rows asked for is small and known: the read may run on an event loop (architecture: bounded
    /// primary-key reads of at most 200 rows).
    public var isBounded: Bool {
        pendingCascadesMax == 0 && cascades.isEmpty && referrers.isEmpty && names.isEmpty && zoneLists.isEmpty
            && queries.isEmpty && indexLists.isEmpty && trash.isEmpty && subscriptions.isEmpty && events.isEmpty
            && devices.isEmpty && deliveries.isEmpty && pushLogs.isEmpty && assetLists.isEmpty
    }

    /// The same for a thread that others wait for: its queries are given up where they take long. nil where something
    /// else may take long.
    public var brief: ReadSet? {
        var set = self
        set.queries = []
        guard set.isBounded else { return nil }
        set.queries = queries
        for index in queries.indices { set.queries[index].isBrief = true }
        return set
    }

    /// Adds what `other` asks for behind what is asked already.
    public mutating func append(_ other: ReadSet) {
        databases += other.databases
        sessions += other.sessions
        users += other.users
        zones += other.zones
        zoneLists += other.zoneLists
        records += other.records
        stubs += other.stubs
        referrers += other.referrers
        cascades += other.cascades
        feeds += other.feeds
        zoneFeeds += other.zoneFeeds
        names += other.names
        queries += other.queries
        indexLists += other.indexLists
        memberships += other.memberships
        trash += other.trash
        subscriptions += other.subscriptions
        events += other.events
        devices += other.devices
        deliveries += other.deliveries
        pushLogs += other.pushLogs
        assets += other.assets
        assetLists += other.assetLists
        pendingCascadesMax += other.pendingCascadesMax
    }
}
