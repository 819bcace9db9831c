import CloudKitWire
import NephosStorage

/// Checks the tables that heads count, and then the heads.
///
/// What stands around a row is looked up by scalar subqueries, one index look-up each: a planner that joins might read
/// the other table as a whole.
struct DatabaseCheck {
    private var counts = DatabaseCounts()
    /// The sum of the checksums of the catalog's rows.
    private(set) var digest: Int64 = 0

    // MARK: Zones

    mutating func checkZones(_ walk: inout TableWalk) throws(StorageError) {
        let reader = ZoneReader(tenant: walk.tenant)
        try walk.each(Self.zones) { row, findings throws(StorageError) in
            counts[reader.tenant.database(row.int(0))].zones += 1
            let zone = try reader.read(row)
            counts.count(zone)
            let checksum = ZoneReader.columnCount
            findings.judge(zone, checksum: row.int(checksum), row.headMarks(checksum + 1))
        }
    }

    private static let zones = PagedTable(
        .zones, "\(ZoneReader.columns), checksum, \(headMarks(of: "zones", "last_zone_no"))")

    // MARK: Records

    mutating func checkRecords(_ walk: inout TableWalk) throws(StorageError) {
        let tenant = walk.tenant
        try walk.each(Self.records) { row, findings throws(StorageError) in
            let database = tenant.database(row.int(0))
            counts[database].records += 1
            counts[database].recordBytes += row.int(RecordColumns.size)
            let next = RecordColumns.count
            let around = RecordSurroundings(
                head: row.headMarks(next + 1), zoneState: row.optionalInt(next + 3), zoneSequence: row.int(next + 4),
                references: row.int(next + 5), holdsAssets: row.bool(next + 6), isBuried: row.bool(next + 7),
                sharesSequence: row.bool(next + 8))
            findings.judge(
                try row.record(tenant), checksum: row.int(next), size: row.int(RecordColumns.size), around)
        }
    }

    private static let sameZone = "WHERE o.db = records.db AND o.zone_no = records.zone_no"
    private static let records = PagedTable(
        .records,
        """
        \(RecordColumns.list), checksum, \(headMarks(of: "records", "last_record_no")),
        (SELECT o.state FROM zones AS o \(sameZone)), (SELECT o.changed_seq FROM zones AS o \(sameZone)),
        (SELECT count(*) FROM refs AS o WHERE o.db = records.db AND o.record_no = records.record_no),
        (SELECT true FROM asset_refs AS o \(sameZone) AND o.record_no = records.record_no LIMIT 1),
        (SELECT true FROM tombstones AS o \(sameZone) AND o.name = records.name LIMIT 1),
        (SELECT true FROM tombstones AS o \(sameZone) AND o.seq = records.seq LIMIT 1)
        """, bytes: "octet_length(fields)")

    // MARK: Tombstones, references

    mutating func checkTombstones(_ walk: inout TableWalk) throws(StorageError) {
        let tenant = walk.tenant
        try walk.each(Self.tombstones) { row, findings throws(StorageError) in
            let database = tenant.database(row.int(0))
            counts[database].tombstones += 1
            let tombstone = TombstoneRow(
                database: database, zone: row.int(1), name: row.name(3), sequence: row.int(2), type: try row.type(4),
                deletedAt: row.int(5))
            findings.judge(tombstone, checksum: row.int(6), zone: row.optionalInt(7))
        }
    }

    private static let tombstones = PagedTable(
        .tombstones,
        """
        db, zone_no, seq, name, type, deleted_at, checksum,
        (SELECT z.changed_seq FROM zones AS z
            WHERE z.db = tombstones.db AND z.zone_no = tombstones.zone_no AND z.state < 2)
        """)

    mutating func checkReferences(_ walk: inout TableWalk) throws(StorageError) {
        let tenant = walk.tenant
        try walk.each(Self.references) { row, findings throws(StorageError) in
            let database = tenant.database(row.int(0))
            counts[database].references += 1
            let reference = ReferenceRow(
                database: database, zone: row.int(1), target: row.name(2),
                kind: try row.kind(3, of: ReferenceKind.self), record: row.int(4))
            findings.judge(reference, checksum: row.int(5), hasRecord: row.bool(6))
        }
    }

    private static let references = PagedTable(
        .references,
        """
        db, zone_no, target, kind, record_no, checksum,
        (SELECT r.zone_no = refs.zone_no FROM records AS r WHERE r.db = refs.db AND r.record_no = refs.record_no)
        """)

    // MARK: Events, cascades, trash

    mutating func checkEvents(_ walk: inout TableWalk) throws(StorageError) {
        let reader = EventReader(tenant: walk.tenant)
        try walk.each(Self.events) { row, findings throws(StorageError) in
            counts[reader.tenant.database(row.int(0))].events += 1
            let checksum = EventReader.columnCount
            findings.judge(
                try reader.event(row, from: 0), checksum: row.int(checksum), head: row.int(checksum + 1),
                hasCopy: row.bool(checksum + 2), isCurrent: row.bool(checksum + 3))
        }
    }

    private static let events = PagedTable(
        .events,
        """
        \(EventReader.columns.replacing("e.", with: "change_events.")), checksum,
        (SELECT h.seq FROM heads AS h WHERE h.db = change_events.db),
        (SELECT r.event_seq = change_events.seq FROM event_records AS r WHERE r.db = change_events.db AND r.event_seq = change_events.seq),
        (SELECT r.name = change_events.name FROM records AS r
            WHERE r.db = change_events.db AND r.zone_no = change_events.zone_no AND r.seq = change_events.seq)
        """)

    func checkEventRecords(_ walk: inout TableWalk) throws(StorageError) {
        let tenant = walk.tenant
        try walk.each(Self.eventRecords) { row, findings throws(StorageError) in
            findings.judge(
                copyOf: try row.record(tenant), for: row.int(RecordColumns.count),
                checksum: row.int(RecordColumns.count + 1), size: row.int(RecordColumns.size),
                hasEvent: row.bool(RecordColumns.count + 2))
        }
    }

    private static let eventRecords = PagedTable(
        .eventRecords,
        """
        \(RecordColumns.list), event_seq, checksum,
        (SELECT e.zone_no = event_records.zone_no AND e.name = event_records.name
                AND (event_records.seq = event_records.event_seq OR e.kind = \(ChangeEventRow.Kind.deleted.rawValue))
            FROM change_events AS e WHERE e.db = event_records.db AND e.seq = event_records.event_seq)
        """, keyAt: [0, RecordColumns.count], bytes: "octet_length(fields)")

    // MARK: Files

    mutating func checkAssets(_ walk: inout TableWalk) throws(StorageError) {
        let tenant = walk.tenant
        try walk.each(Self.assets) { row, findings throws(StorageError) in
            let checksum = Int32(AssetRow.table.columns.count)
            findings.judge(
                try row.stored(AssetRow.self, tenant), checksum: row.int(checksum), hasDatabase: row.bool(checksum + 1),
                isHeld: row.bool(checksum + 2))
        }
        try walk.each(Self.assetUses) { row, findings throws(StorageError) in
            let use = AssetUse(address: row.bytes(3), size: row.int(4), count: row.int(5))
            let held = AssetUseRow(
                database: tenant.database(row.int(0)), zone: row.int(1), record: row.int(2), use: use)
            counts[held.database].assets += use.count
            counts[held.database].assetBytes += use.bytes
            findings.judge(
                held, checksum: row.int(6), size: row.optionalInt(7), hasRecord: row.bool(8) || row.bool(9))
        }
    }

    private static let assets = PagedTable(
        .assets,
        """
        \(AssetRow.table.columns.map(\.name).joined(separator: ", ")), checksum, (SELECT true FROM heads AS h WHERE h.db = assets.db),
        (SELECT true FROM asset_refs AS r WHERE r.db = assets.db AND r.address = assets.address LIMIT 1)
        """)
    private static let sameRecord = """
        WHERE o.db = asset_refs.db AND o.record_no = asset_refs.record_no AND o.zone_no = asset_refs.zone_no
        """
    private static let assetUses = PagedTable(
        .assetUses,
        """
        db, zone_no, record_no, address, size, uses, checksum,
        (SELECT a.size FROM assets AS a WHERE a.db = asset_refs.db AND a.address = asset_refs.address),
        (SELECT true FROM records AS o \(sameRecord)), (SELECT true FROM trash AS o \(sameRecord))
        """, keyAt: [0, 1, 2, 3])

    mutating func checkTrash(_ walk: inout TableWalk) throws(StorageError) {
        let reader = TrashReader(tenant: walk.tenant)
        try walk.each(Self.trash) { row, findings throws(StorageError) in
            counts[reader.tenant.database(row.int(0))].trash += 1
            let checksum = TrashReader.columnCount
            findings.judge(
                try reader.read(row), checksum: row.int(checksum), size: row.int(RecordColumns.size),
                row.headMarks(checksum + 1))
        }
    }

    private static let trash = PagedTable(
        .trash, "\(TrashReader.columns), checksum, \(headMarks(of: "trash", "last_record_no"))",
        bytes: "octet_length(fields)")

    // MARK: Described tables

    mutating func checkDescribed(_ tables: TenantTables, _ walk: inout TableWalk) throws(StorageError) {
        for (rows, pages) in tables.pages { try check(rows, pages, &walk) }
    }

    private mutating func check<Stored: StoredRow>(
        _ rows: Stored.Type, _ pages: PagedTable, _ walk: inout TableWalk
    ) throws(StorageError) {
        let (next, tenant) = (Int32(Stored.table.columns.count), walk.tenant)
        try walk.each(pages) { row, findings throws(StorageError) in
            // Before the row is read: one that cannot be is a finding of its own, and no reason for another.
            if rows is any CatalogStored.Type { digest &+= row.int(next) }
            let stored = try row.stored(rows, tenant)
            if Stored.table.isCounted, let database = stored.database {
                stored.count(in: &counts[database].head, times: 1)
            }
            findings.judge(
                stored, checksum: row.int(next), head: row.int(next + 1), hasPerson: row.bool(next + 2),
                hasParent: row.bool(next + 3))
        }
    }

    // MARK: Heads

    /// - Parameter catalog: The catalog's row; nil when it cannot be read.
    mutating func checkHeads(_ walk: inout TableWalk, _ catalog: CatalogHead?) throws(StorageError) {
        let reader = HeadReader(tenant: walk.tenant)
        try walk.each(Self.heads) { row, findings throws(StorageError) in
            counts.meetHead(of: reader.tenant.database(row.int(0)), &findings)
            let checksum = HeadReader.columnCount
            counts.judge(
                try reader.read(row), checksum: row.int(checksum), hasOwner: row.bool(checksum + 1), catalog,
                &findings)
        }
        counts.finish(catalog, &walk.findings)
    }

    private static let heads = PagedTable(
        .heads,
        """
        \(HeadReader.columns), checksum,
        (SELECT u.private_db = heads.db % \(TenantNumber.databases) FROM users AS u
            WHERE u.tenant = heads.db / \(TenantNumber.databases) AND u.id = heads.owner)
        """)

    /// Two columns: the sequence of the head of a row's database, and another of its columns.
    private static func headMarks(of table: String, _ number: String) -> String {
        """
        (SELECT h.seq FROM heads AS h WHERE h.db = \(table).db), \
        (SELECT h.\(number) FROM heads AS h WHERE h.db = \(table).db)
        """
    }
}

extension Row {
    /// Two columns; nil where there is no head.
    fileprivate func headMarks(_ column: Int32) -> HeadMarks? {
        isNull(column) ? nil : HeadMarks(sequence: int(column), lastNumber: int(column + 1))
    }
}
