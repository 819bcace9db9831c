import CloudKitWire
import NephosStorage

/// The readable contents of one database, counted row by row, for comparison with the counters of its head.
struct Census: Equatable {
    var records: Int64 = 0
    var recordBytes: Int64 = 0
    var tombstones: Int64 = 0
    var references: Int64 = 0
    var trash: Int64 = 0
    var watchers: Int64 = 0
    var zones: Int64 = 0
    var liveZones: Int64 = 0

    init(_ head: HeadRow) {
        records = head.records
        recordBytes = head.recordBytes
        tombstones = head.tombstones
        references = head.references
        trash = head.trash
        watchers = head.watchers.rawValue
        zones = head.zones
        liveZones = head.liveZones
    }

    /// Counts the rows of all incarnations, including dead ones, from the feeds.
    init(of database: TestDatabase) throws {
        let live = try database.liveZones()
        var all = Set(live.map(\.number))
        all.formUnion(try database.zoneFeed(limit: .max).zones.map(\.number))
        zones = Int64(all.count)
        liveZones = Int64(live.count)
        trash = Int64(try database.trash(limit: .max).count)
        for row in try database.subscriptions(savedAfter: 0, limit: .max) {
            watchers += row.kind == .query ? 1 << 32 + 1 : 1
        }
        for number in all {
            let scan = FeedScan(
                zone: .number(database.number, number), bound: 0, limit: .max, byteLimit: .max)
            for change in try database.defaultZone.feed(scan).changes { count(change) }
        }
    }

    private mutating func count(_ change: FeedChange) {
        switch change {
        case .tombstone: tombstones += 1
        case .departure: break
        case .record(let row):
            records += 1
            recordBytes += row.storedBytes
            references += row.referenceCount
        }
    }
}

extension TestTenant {
    /// - Throws: ``PromiseBroken`` if a counter of a head differs from the number of readable rows.
    func expectCountersRight() throws {
        let left = Set(try store.rows(Scan<LeftDatabaseRow>(limit: 1_000)).map(\.number))
        for number in 1...(try catalog().head.lastDatabase) where !left.contains(number) {
            let database = TestDatabase(tenant: self, number: number, user: publicDatabase.user)
            try expectEqual(
                Census(try database.head()), try Census(of: database), "the counters of database \(number)")
        }
    }
}
