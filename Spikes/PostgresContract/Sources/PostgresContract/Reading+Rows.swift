import CloudKitWire
import NephosStorage

extension Reading {
    /// Appends the results of ``ReadSet/statements`` to this reading.
    mutating func take(_ set: ReadSet, from rows: inout ArraySlice<Rows>) throws(StorageError) {
        guard set.sessions.isEmpty, set.names.isEmpty else { throw .failed("the spike reads no sessions and names") }
        for _ in set.databases { databases.append(try rows.removeFirst().map(HeadRow.init(_:)).first) }
        for _ in set.users { users.append(try rows.removeFirst().map(UserRow.init(_:)).first) }
        for _ in set.zones { zones.append(try rows.removeFirst().map(ZoneRow.init(_:)).first) }
        for _ in set.zoneLists { zoneLists.append(try rows.removeFirst().map(ZoneRow.init(_:))) }
        for _ in set.records {
            records.append(try rows.removeFirst().map(RecordRow.init(_:)).first.map { .record($0) } ?? .absent)
        }
        for _ in set.stubs { stubs.append(try rows.removeFirst().map(RecordStub.init(_:)).first) }
        for _ in set.referrers { referrers.append(try rows.removeFirst().map(RecordStub.init(_:))) }
        for _ in set.cascades { cascades.append(try rows.removeFirst().map(CascadeEdge.init(_:))) }
        for scan in set.feeds {
            feeds.append(
                scan.page(
                    try rows.removeFirst().map(RecordRow.init(_:)), try rows.removeFirst().map(TombstoneRow.init(_:))))
        }
        for scan in set.zoneFeeds { zoneFeeds.append(scan.page(try rows.removeFirst().map(ZoneRow.init(_:)))) }
    }
}

extension FeedScan {
    /// Merges records and tombstones by sequence, up to the limit of the page.
    fileprivate func page(_ records: [RecordRow], _ tombstones: [TombstoneRow]) -> FeedPage {
        let all = (records.map(FeedChange.record) + tombstones.map(FeedChange.tombstone))
            .sorted { reverse ? $0.sequence > $1.sequence : $0.sequence < $1.sequence }
        var page = FeedPage(changes: [], position: bound, more: false)
        for change in all {
            if let types, !types.contains(change.type) {
                page.position = change.sequence
                continue
            }
            guard page.changes.count < limit else {
                page.more = true
                break
            }
            page.changes.append(change)
            page.position = change.sequence
        }
        return page
    }
}

extension FeedChange {
    fileprivate var type: TypeNumber {
        switch self {
        case .record(let row): row.type
        case .tombstone(let row): row.type
        }
    }
}

extension ZoneFeedScan {
    fileprivate func page(_ rows: [ZoneRow]) -> ZoneFeedPage {
        let zones = Array(rows.prefix(limit))
        return ZoneFeedPage(zones: zones, position: zones.last?.changedSequence ?? after, more: rows.count > limit)
    }
}

extension HeadRow {
    fileprivate init(_ source: Row) throws(StorageError) {
        var row = source
        self.init(database: try row.int(), kind: try row.kind(DatabaseKind.self), owner: try row.userOrNil())
        sequence = try row.int()
        recordNumber = try row.int()
        zoneNumber = try row.int()
        time = try row.int()
        purgedSequence = try row.int()
        watchers = try row.int()
        records = try row.int()
        recordBytes = try row.int()
        tombstones = try row.int()
        references = try row.int()
        events = try row.int()
        zones = try row.int()
        liveZones = try row.int()
    }
}

extension UserRow {
    fileprivate init(_ source: Row) throws(StorageError) {
        var row = source
        self.init(
            id: try row.user(), source: try row.kind(Source.self), sourceID: try row.string(),
            privateDatabase: try row.int(), createdAt: try row.int())
    }
}

extension ZoneRow {
    fileprivate init(_ source: Row) throws(StorageError) {
        var row = source
        self.init(
            database: try row.int(), number: try row.int(), name: try row.name(), state: try row.kind(State.self),
            createdSequence: try row.int(), changedSequence: try row.int(), purgedSequence: try row.int(),
            createdAt: try row.int(), deletedAt: try row.int())
    }
}

extension RecordRow {
    fileprivate init(_ source: Row) throws(StorageError) {
        var row = source
        let (database, number, zone, name) = (try row.int(), try row.int(), try row.int(), try row.name())
        self.init(
            database: database, number: number, zone: zone, name: name, sequence: try row.int(),
            tagSequence: try row.int(), type: try row.type(), createdAt: try row.int(), createdBy: try row.user(),
            modifiedAt: try row.int(), modifiedBy: try row.user(), parent: try row.nameOrNil(),
            shareRoot: try row.intOrNil(), flags: Flags(rawValue: try row.int()), fieldsEpoch: try row.int(),
            referenceCount: try row.int(), fields: try row.bytes())
    }
}

extension RecordStub {
    fileprivate init(_ source: Row) throws(StorageError) {
        var row = source
        self.init(
            database: try row.int(), zone: try row.int(), number: try row.int(), name: try row.name(),
            tagSequence: try row.int(), type: try row.type(), createdBy: try row.user(),
            storedBytes: try row.int(), referenceCount: try row.int())
    }
}

extension CascadeEdge {
    fileprivate init(_ source: Row) throws(StorageError) {
        var row = source
        let target = try row.name()
        self.init(target: target, record: try RecordStub(row))
    }
}

extension TombstoneRow {
    fileprivate init(_ source: Row) throws(StorageError) {
        var row = source
        self.init(
            database: try row.int(), zone: try row.int(), name: try row.name(), sequence: try row.int(),
            type: try row.type(), deletedAt: try row.int())
    }
}
