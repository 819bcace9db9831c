import CloudKitWire
import NephosQueries
import NephosStorage

/// Loads read sets over one connection: a pooled one for reads, the writer's for decisions.
///
/// Like its connection, it is used by one thread at a time.
final class TenantReader: @unchecked Sendable {
    let connection: Connection
    var heads: HeadReader { HeadReader(connection: connection) }
    var zones: ZoneReader { ZoneReader(connection: connection) }
    var records: RecordReader { RecordReader(connection: connection) }
    var references: ReferenceReader { ReferenceReader(connection: connection) }
    var feeds: FeedReader { FeedReader(connection: connection) }
    var tables: TableReader { TableReader(connection: connection) }
    var catalogs: CatalogReader { CatalogReader(connection: connection) }
    var names: NameReader { NameReader(connection: connection) }
    var walks: WalkReader { WalkReader(connection: connection) }
    var sessions: SessionReader { SessionReader(connection: connection) }
    var memberships: MembershipReader { MembershipReader(connection: connection) }
    var entries: EntryReader { EntryReader(connection: connection) }
    var events: EventReader { EventReader(connection: connection) }
    var assets: AssetReader { AssetReader(connection: connection) }

    init(_ connection: Connection) { self.connection = connection }

    /// Loads all that `set` requests and appends it to `reading`, inside the current transaction.
    ///
    /// - Parameter moved: Rows that this transaction has moved and not written yet.
    func load(
        _ set: ReadSet, moved: MovedRows = MovedRows(), into reading: inout Reading
    ) throws(StorageError) {
        for database in set.databases {
            if let head = moved.heads[database] {
                reading.databases.append(head)
            } else {
                reading.databases.append(try heads.head(database))
            }
        }
        if !set.sessionsOfDevices.isEmpty {
            reading.sessionsOfDevices += try sessions.sessions(of: set.sessionsOfDevices)
        }
        for user in set.memberships { reading.memberships.append(try memberships.roles(of: user)) }
        var places = ZonePlaces(within: set.within)
        for key in set.zones {
            var zone = moved.zone(key)
            if zone == nil { zone = try zones.zone(key) }
            places.remember(key, zone?.number)
            reading.zones.append(zone)
        }
        for database in set.shareVersions {
            if let head = moved.heads[database] {
                reading.shareVersions.append(head.sharesVersion)
            } else {
                reading.shareVersions.append(try heads.sharesVersion(database))
            }
        }
        for database in set.zoneLists { reading.zoneLists.append(try zones.liveZones(database)) }
        try loadRecords(set, &places, into: &reading)
        try loadScans(set, &places, into: &reading)
        try loadQueries(set, &places, into: &reading)
    }

    private func loadRecords(
        _ set: ReadSet, _ places: inout ZonePlaces, into reading: inout Reading
    ) throws(StorageError) {
        if !set.records.isEmpty {
            var keys: [RecordReader.Key] = []
            keys.reserveCapacity(set.records.count)
            for key in set.records { keys.append((try place(key.zone, &places), key.name)) }
            try records.records(keys, byteLimit: set.recordByteLimit, into: &reading.records)
        }
        for key in set.stubs {
            let place = try place(key.zone, &places)
            reading.stubs.append(try records.stub((place, key.name)))
        }
    }

    private func loadScans(
        _ set: ReadSet, _ places: inout ZonePlaces, into reading: inout Reading
    ) throws(StorageError) {
        var referrersLeft = set.referrerRowsMax
        for var scan in set.referrers {
            scan.limit = min(scan.limit, referrersLeft)
            let place = try place(scan.zone, &places)
            let stubs = referrersLeft > 0 ? try references.referrers(scan, in: place) : []
            referrersLeft -= stubs.count
            reading.referrers.append(stubs)
        }
        for scan in set.cascades {
            reading.cascades.append(try references.cascade(scan, in: try place(scan.zone, &places)))
        }
        for scan in set.ancestors {
            reading.ancestors.append(try records.ancestors(scan, in: try place(scan.zone, &places)))
        }
        for scan in set.shares {
            var alone = SharedPages(.unlimited)
            reading.shares.append(try feeds.page(scan, in: try place(scan.zone, &places), &alone))
        }
        if !set.feeds.isEmpty || !set.memberFeeds.isEmpty { try loadFeeds(set, &places, into: &reading) }
        for scan in set.zoneFeeds { reading.zoneFeeds.append(try zones.page(scan)) }
        for scan in set.names {
            let numbers: [ZoneNumber]
            switch scan.place {
            case .zone(let key): numbers = try place(key, &places).number.map { [$0] } ?? []
            case .database(let database): numbers = try zones.liveNumbers(database)
            }
            reading.names.append(try names.page(scan, zones: numbers))
        }
        for walk in set.walks { reading.walks.append(try walks.page(walk)) }
    }

    private func loadFeeds(
        _ set: ReadSet, _ places: inout ZonePlaces, into reading: inout Reading
    ) throws(StorageError) {
        var shared = SharedPages(set.feedBudget)
        for scan in set.feeds {
            reading.feeds.append(try feeds.page(scan, in: try place(scan.zone, &places), &shared))
        }
        for scan in set.memberFeeds {
            reading.memberFeeds.append(try feeds.page(scan, in: try place(scan.zone, &places), &shared))
        }
        (reading.feedWork, reading.feedsEndedEarly) = (shared.work, shared.areCutShort)
    }

    private func loadQueries(
        _ set: ReadSet, _ places: inout ZonePlaces, into reading: inout Reading
    ) throws(StorageError) {
        for scan in set.queries {
            let zones = try liveZones(in: scan.extent, &places)
            var source = QueryReader(self, scan.extent.database, zones: zones, set.abandonment)
            reading.queries.append(try QueryWalk.page(scan, source: &source))
        }
        for scan in set.scans { try tables.load(scan, into: &reading) }
        for scan in set.events { reading.events.append(try events.changes(scan)) }
        for scan in set.annexes { reading.annexes.append(try heads.annexes(scan)) }
        if set.unreferencedFiles { reading.unreferencedFiles = try assets.unreferencedFiles() }
    }

    /// The zones that a query covers. Not dead zones: the index entries of their records are removed before the records.
    private func liveZones(
        in extent: QueryScan.Extent, _ places: inout ZonePlaces
    ) throws(StorageError) -> [ZoneNumber] {
        switch extent {
        case .database(let database): return try zones.liveNumbers(database)
        case .zone(.number(let database, let number)):
            return try zones.zone(.number(database, number))?.state == .live ? [number] : []
        case .zone(let key): return try place(key, &places).number.map { [$0] } ?? []
        }
    }

    /// The incarnation that a key refers to, looked up once for each key.
    private func place(_ key: ZoneKey, _ places: inout ZonePlaces) throws(StorageError) -> ZonePlace {
        switch key {
        case .number(let database, let number):
            return ZonePlace(database: database, number: number, shares: places.shares(of: key))
        case .name(let database, let name):
            let shares = places.shares(of: key)
            if let known = places.number(key) { return ZonePlace(database: database, number: known, shares: shares) }
            let number = try zones.liveNumber(database, name)
            places.remember(key, number)
            return ZonePlace(database: database, number: number, shares: shares)
        }
    }
}

/// Identifies the rows of a zone; without a number there is no such zone.
struct ZonePlace {
    var database: DatabaseNumber
    var number: ZoneNumber?
    /// The shares whose records are visible; nil for all records (``ReadSet/within``).
    var shares: [ShareNumber]?

    /// Whether a record with this mark is visible.
    func shows(_ share: ShareNumber?) -> Bool {
        guard let shares else { return true }
        return share.map(shares.contains) ?? false
    }
}

/// The zones that one read set has named so far. Usually it is one, so the last one is checked first.
private struct ZonePlaces {
    private let within: [ZoneKey: [ShareNumber]]
    private var last: (key: ZoneKey, number: ZoneNumber?)?
    private var others: [ZoneKey: ZoneNumber?] = [:]

    init(within: [ZoneKey: [ShareNumber]]) { self.within = within }

    func shares(of key: ZoneKey) -> [ShareNumber]? { within.isEmpty ? nil : within[key] }

    func number(_ key: ZoneKey) -> ZoneNumber?? {
        if let last, last.key == key { return .some(last.number) }
        return others[key]
    }

    mutating func remember(_ key: ZoneKey, _ number: ZoneNumber?) {
        if let last { others[last.key] = .some(last.number) }
        last = (key, number)
    }
}
