public import CloudKitWire

/// What a database is: one lane of the public database, or one person's private database with all its zones.
public enum DatabaseKind: Int64, Sendable {
    /// A part of the public database of a tenant.
    case publicLane = 0
    /// The private database of one person.
    case personal = 1
}

/// The row that orders one database: the lock of its writers, its sequence, its counters (table `heads`).
///
/// A domain decision advances sequence, numbers, time and annex; the engine maintains the counters, since only the engine
/// knows how many rows each statement affected.
public struct HeadRow: Sendable, Equatable {
    /// The number of the database in its tenant, from 1 on.
    public var database: DatabaseNumber
    /// Whether it is public or private.
    public var kind: DatabaseKind
    /// The owner of a private database; nil for public.
    public var owner: UserID?
    /// The last sequence that was assigned.
    public var sequence: Sequence = 0
    /// The last record number that was assigned.
    public var recordNumber: RecordNumber = 0
    /// The last zone number that was assigned.
    public var zoneNumber: ZoneNumber = 0
    /// The last time that was assigned; server times never run backwards within a database.
    public var time: Milliseconds = 0
    /// Database change tokens older than this are expired: zones deleted up to here were purged.
    public var purgedSequence: Sequence = 0
    /// Data of features. A decision that writes the head also writes it: the head is locked, so its value as read is what the
    /// last commit wrote.
    public var annex = HeadAnnex()
    /// Incremented with every change of the database's indexes; 0 if it never had one. Maintained by the engine.
    public var indexVersion: Int64 = 0
    /// A checksum of every change so far of what proves who sees what is shared: of rows of shares, of participants and of visits, and of
    /// zones that come, go or are shared. With the same version a database has the same rows, even if it was reset to an earlier state
    /// and went on differently. Maintained by the engine.
    public var sharesVersion: Int64 = 0

    // Counters, maintained by the engine. Rows of deleted zones count until they are swept.
    /// Change events are written only if this is not empty.
    public var watchers = Watchers.none
    /// How many records it has.
    public var records: Int64 = 0
    /// Bytes of all records: names and fields.
    public var recordBytes: Int64 = 0
    /// How many tombstones of records it has.
    public var tombstones: Int64 = 0
    /// How many references its records hold.
    public var references: Int64 = 0
    /// The number of change events that wait to be delivered.
    public var events: Int64 = 0
    /// Cascades that are not completed yet.
    public var cascades: Int64 = 0
    /// Deleted records that can still be restored.
    public var trash: Int64 = 0
    /// Places in which records hold files, including records in the trash.
    public var assets: Int64 = 0
    /// Bytes of these files, counted for each place. Together with `recordBytes`, a quota is measured by this.
    public var assetBytes: Int64 = 0
    /// Rows in the table of zones, including deleted ones.
    public var zones: Int64 = 0
    /// Zones that exist for users, including the default zone.
    public var liveZones: Int64 = 0
    /// The sum, modulo 2^64, of the checksums of all rows of counted tables that have no counter of their own
    /// (``StoredRow/count(in:times:)``).
    public var rowsDigest: Int64 = 0
    /// Public shares of others that its owner visits or has visited (``SharedZoneRow/Kind/visit``).
    public var visits: Int64 = 0
    /// Whether the row is stored as one that scans find (``HeadAnnex/isFound``). An index depends only on this value, so that
    /// the index is written only when the value changes.
    @usableFromInline package var hasStoredAnnex = false

    /// Creates the head of a new database, all of whose counters are 0.
    public init(database: DatabaseNumber, kind: DatabaseKind, owner: UserID?) {
        self.database = database
        self.kind = kind
        self.owner = owner
    }

    /// In the order of ``init(_:)``.
    package static let columns = ["db", "kind", "owner"] + stateColumns + ["annex", "has_annex"]

    /// In the order of ``state``.
    package static let stateColumns = [
        "seq", "last_record_no", "last_zone_no", "last_time", "purged_seq", "watchers", "records", "record_bytes",
        "tombstones", "refs", "events", "zones", "live_zones", "cascades", "index_version", "trash", "assets",
        "asset_bytes", "rows_digest", "shares_version", "visits",
    ]

    /// The values of all mutable columns except the annex.
    package var state: [Int64] {
        [
            sequence, recordNumber, zoneNumber, time, purgedSequence, watchers.rawValue, records, recordBytes,
            tombstones, references, events, zones, liveZones, cascades, indexVersion, trash, assets, assetBytes,
            rowsDigest, sharesVersion, visits,
        ]
    }

    /// Reads a row that begins with ``columns``.
    @inlinable
    package init(_ row: borrowing some AnswerRow & ~Copyable) throws(StorageError) {
        self.init(
            database: row.database(0), kind: try row.kind(1, of: DatabaseKind.self), owner: try row.optionalUser(2))
        sequence = row.int(3)
        recordNumber = row.int(4)
        zoneNumber = row.int(5)
        time = row.int(6)
        purgedSequence = row.int(7)
        watchers = Watchers(rawValue: row.int(8))
        records = row.int(9)
        recordBytes = row.int(10)
        tombstones = row.int(11)
        references = row.int(12)
        events = row.int(13)
        zones = row.int(14)
        liveZones = row.int(15)
        cascades = row.int(16)
        indexVersion = row.int(17)
        trash = row.int(18)
        assets = row.int(19)
        assetBytes = row.int(20)
        rowsDigest = row.int(21)
        sharesVersion = row.int(22)
        visits = row.int(23)
        annex = try HeadAnnex(stored: row.raw(24))
        hasStoredAnnex = row.int(25) != 0
    }

    /// Counts a row that proves who sees what is shared (``StoredRow/count(in:times:checksum:)``).
    mutating func countOfShares(times: Int64, checksum: Int64) {
        rowsDigest &+= times &* checksum
        changeShares(times, checksum)
    }

    /// Changes ``sharesVersion`` by a row that is added (1), or removed (-1).
    mutating func changeShares(_ times: Int64, _ checksum: Int64) {
        var sum = Checksum(reserving: 24)
        for number in [sharesVersion, times, checksum] { sum.add(number) }
        sharesVersion = sum.value
    }

    /// Whether changes are to be recorded as events.
    public var isWatched: Bool { watchers.subscriptions > 0 }

    /// Guards the row against damage.
    public var checksum: Int64 {
        var sum = Checksum(reserving: 192)
        for number in [
            database, kind.rawValue, sequence, recordNumber, zoneNumber, time, purgedSequence, watchers.rawValue,
            records,
            recordBytes, tombstones, references, events, cascades, zones, liveZones,
        ] { sum.add(number) }
        if let owner { sum.add(owner) } else { sum.addNothing() }
        // Heads that were stored before these columns were added had neither, and keep their checksum.
        if indexVersion != 0 || trash != 0 {
            sum.add(indexVersion)
            sum.add(trash)
        }
        if assets != 0 || assetBytes != 0 {
            sum.add(assets)
            sum.add(assetBytes)
        }
        if rowsDigest != 0 { sum.add(rowsDigest) }
        if sharesVersion != 0 { sum.add(sharesVersion) }
        if visits != 0 { sum.add(visits) }
        if !annex.isEmpty { sum.add(annex.stored) }
        return sum.value
    }
}
