import CloudKitWire
import NephosStorage

/// Checks the tables that heads count, and then the heads.
struct DatabaseCheck {
    private var counts = DatabaseCounts()
    /// The sum of the checksums of the catalog's rows.
    private(set) var digest: Int64 = 0

    mutating func checkZones(_ walk: inout TableWalk) throws(StorageError) {
        try walk.each(
            "zones",
            """
            SELECT \(ZoneReader.columns), db, checksum, (SELECT seq FROM heads WHERE heads.db = zones.db),
                (SELECT last_zone_no FROM heads WHERE heads.db = zones.db)
            FROM zones
            """
        ) { cursor, findings throws(StorageError) in
            let next = ZoneReader.columnCount
            let database = cursor.int(next)
            counts[database].zones += 1
            let zone = try ZoneReader.row(cursor, database)
            counts.count(zone)
            let head =
                cursor.isNull(next + 2)
                ? nil : HeadMarks(sequence: cursor.int(next + 2), lastNumber: cursor.int(next + 3))
            findings.judge(zone, checksum: cursor.int(next + 1), head)
        }
    }

    mutating func checkRecords(_ walk: inout TableWalk) throws(StorageError) {
        let sameZone = "WHERE t.db = records.db AND t.zone_no = records.zone_no"
        try walk.each(
            "records",
            """
            SELECT \(RecordColumns.list), db, checksum, (SELECT seq FROM heads WHERE heads.db = records.db),
                (SELECT last_record_no FROM heads WHERE heads.db = records.db),
                (SELECT state FROM zones t \(sameZone)), (SELECT changed_seq FROM zones t \(sameZone)),
                (SELECT count(*) FROM refs t WHERE t.db = records.db AND t.record_no = records.record_no),
                EXISTS (SELECT 1 FROM asset_refs t \(sameZone) AND t.record_no = records.record_no),
                EXISTS (SELECT 1 FROM tombstones t \(sameZone) AND t.name = records.name),
                EXISTS (SELECT 1 FROM tombstones t \(sameZone) AND t.seq = records.seq),
                id = \(RowKey.id("db", "record_no"))
            FROM records
            """
        ) { cursor, findings throws(StorageError) in
            let database = cursor.int(17)
            counts[database].records += 1
            counts[database].recordBytes += cursor.int(RecordColumns.size)
            let around = RecordSurroundings(
                head: cursor.isNull(19) ? nil : HeadMarks(sequence: cursor.int(19), lastNumber: cursor.int(20)),
                zoneState: cursor.optionalInt(21), zoneSequence: cursor.int(22), references: cursor.int(23),
                holdsAssets: cursor.int(24) != 0, isBuried: cursor.int(25) != 0, sharesSequence: cursor.int(26) != 0)
            let record = try RecordPage.row(cursor, database: database)
            findings.judge(record, checksum: cursor.int(18), size: cursor.int(RecordColumns.size), around)
            findings.expect(
                cursor.int(27) == 1, "records",
                "record \(record.number) of database \(database): its key is that of another record")
        }
    }

    mutating func checkTombstones(_ walk: inout TableWalk) throws(StorageError) {
        try walk.each(
            "tombstones",
            """
            SELECT db, zone_no, seq, name, type, deleted_at, checksum,
                (SELECT changed_seq FROM zones z WHERE z.db = t.db AND z.zone_no = t.zone_no AND z.state < 2)
            FROM tombstones t
            """
        ) { cursor, findings throws(StorageError) in
            counts[cursor.int(0)].tombstones += 1
            let row = TombstoneRow(
                database: cursor.int(0), zone: cursor.int(1), name: cursor.name(3), sequence: cursor.int(2),
                type: try cursor.type(4), deletedAt: cursor.int(5))
            findings.judge(row, checksum: cursor.int(6), zone: cursor.optionalInt(7))
        }
    }

    mutating func checkReferences(_ walk: inout TableWalk) throws(StorageError) {
        try walk.each(
            "refs",
            """
            SELECT db, zone_no, target, kind, record_no, checksum,
                EXISTS (SELECT 1 FROM records r
                    WHERE r.id = \(RowKey.id("f.db", "f.record_no")) AND r.zone_no = f.zone_no)
            FROM refs f
            """
        ) { cursor, findings throws(StorageError) in
            counts[cursor.int(0)].references += 1
            let row = ReferenceRow(
                database: cursor.int(0), zone: cursor.int(1), target: cursor.name(2),
                kind: try cursor.kind(3, of: ReferenceKind.self), record: cursor.int(4))
            findings.judge(row, checksum: cursor.int(5), hasRecord: cursor.int(6) == 1)
        }
    }

    mutating func checkEvents(_ walk: inout TableWalk) throws(StorageError) {
        try walk.each(
            "change_events",
            """
            SELECT \(EventReader.columns), checksum, (SELECT h.seq FROM heads h WHERE h.db = e.db),
                EXISTS (SELECT 1 FROM event_records r WHERE r.db = e.db AND r.event_seq = e.seq),
                EXISTS (SELECT 1 FROM records r WHERE r.db = e.db AND r.zone_no = e.zone_no AND r.seq = e.seq AND r.name = e.name)
            FROM change_events e
            """
        ) { cursor, findings throws(StorageError) in
            counts[cursor.int(0)].events += 1
            let checksum = EventReader.columnCount
            findings.judge(
                try EventReader.event(cursor), checksum: cursor.int(checksum), head: cursor.int(checksum + 1),
                hasCopy: cursor.int(checksum + 2) == 1, isCurrent: cursor.int(checksum + 3) == 1)
        }
    }

    func checkEventRecords(_ walk: inout TableWalk) throws(StorageError) {
        try walk.each(
            "event_records",
            """
            SELECT \(RecordColumns.list), db, event_seq, checksum,
                EXISTS (SELECT 1 FROM change_events e WHERE e.db = r.db AND e.seq = r.event_seq AND e.zone_no = r.zone_no
                    AND e.name = r.name AND (r.seq = r.event_seq OR e.kind = \(ChangeEventRow.Kind.deleted.rawValue)))
            FROM event_records r
            """
        ) { cursor, findings throws(StorageError) in
            let database = RecordColumns.count
            findings.judge(
                copyOf: try RecordPage.row(cursor, database: cursor.int(database)), for: cursor.int(database + 1),
                checksum: cursor.int(database + 2), size: cursor.int(RecordColumns.size),
                hasEvent: cursor.int(database + 3) == 1)
        }
    }

    mutating func checkTrash(_ walk: inout TableWalk) throws(StorageError) {
        try walk.each(
            "trash",
            """
            SELECT \(TrashReader.columns), db, checksum, (SELECT seq FROM heads WHERE heads.db = trash.db),
                (SELECT last_record_no FROM heads WHERE heads.db = trash.db)
            FROM trash
            """
        ) { cursor, findings throws(StorageError) in
            let database = cursor.int(TrashReader.columnCount)
            counts[database].trash += 1
            let row = try TrashReader.row(cursor, database: database)
            let (sequence, last) = (TrashReader.columnCount + 2, TrashReader.columnCount + 3)
            let head =
                cursor.isNull(sequence)
                ? nil : HeadMarks(sequence: cursor.int(sequence), lastNumber: cursor.int(last))
            findings.judge(
                row, checksum: cursor.int(TrashReader.columnCount + 1), size: cursor.int(RecordColumns.size), head)
        }
    }

    mutating func checkAssets(_ walk: inout TableWalk) throws(StorageError) {
        try walk.each(
            "assets",
            """
            SELECT \(TableSQL.list(AssetRow.table)), checksum,
                EXISTS (SELECT 1 FROM heads h WHERE h.db = a.db),
                EXISTS (SELECT 1 FROM asset_refs r WHERE r.db = a.db AND r.address = a.address)
            FROM assets a
            """
        ) { cursor, findings throws(StorageError) in
            let checksum = Int32(AssetRow.table.columns.count)
            findings.judge(
                try cursor.row(AssetRow.self), checksum: cursor.int(checksum),
                hasDatabase: cursor.int(checksum + 1) == 1, isHeld: cursor.int(checksum + 2) == 1)
        }
        try walk.each(
            "asset_refs",
            """
            SELECT db, zone_no, record_no, address, size, uses, checksum,
                (SELECT a.size FROM assets a WHERE a.db = f.db AND a.address = f.address),
                EXISTS (SELECT 1 FROM records r WHERE r.id = \(RowKey.id("f.db", "f.record_no")) AND r.zone_no = f.zone_no)
                OR EXISTS (SELECT 1 FROM trash r WHERE r.db = f.db AND r.record_no = f.record_no AND r.zone_no = f.zone_no)
            FROM asset_refs f
            """
        ) { cursor, findings throws(StorageError) in
            let use = AssetUse(address: Array(cursor.raw(3)), size: cursor.int(4), count: cursor.int(5))
            let row = AssetUseRow(database: cursor.int(0), zone: cursor.int(1), record: cursor.int(2), use: use)
            counts[row.database].assets += use.count
            counts[row.database].assetBytes += use.bytes
            findings.judge(
                row, checksum: cursor.int(6), size: cursor.optionalInt(7), hasRecord: cursor.int(8) == 1)
        }
    }

    /// Checks a described table.
    mutating func check<Row: StoredRow>(_ rows: Row.Type, _ walk: inout TableWalk) throws(StorageError) {
        let next = Int32(Row.table.columns.count)
        try walk.each(Row.table.name, TableSQL.check(Row.table)) { cursor, findings throws(StorageError) in
            // Before the row is read: one that cannot be is a finding of its own, and no reason for another.
            if rows is any CatalogStored.Type { digest &+= cursor.int(next) }
            let row = try cursor.row(Row.self)
            if Row.table.isCounted, let database = row.database { row.count(in: &counts[database].head, times: 1) }
            findings.judge(
                row, checksum: cursor.int(next), head: cursor.int(next + 1), hasPerson: cursor.int(next + 2) == 1,
                hasParent: cursor.int(next + 3) == 1)
        }
    }

    /// - Parameter catalog: The catalog's row; nil when it cannot be read.
    mutating func checkHeads(
        _ walk: inout TableWalk, _ catalog: CatalogHead?
    ) throws(StorageError) {
        try walk.each(
            "heads",
            """
            SELECT \(HeadColumns.list), checksum, EXISTS (
                SELECT 1 FROM users u WHERE u.id = heads.owner AND u.private_db = heads.db)
            FROM heads ORDER BY db
            """
        ) { cursor, findings throws(StorageError) in
            counts.meetHead(of: cursor.int(0), &findings)
            counts.judge(
                try HeadColumns.read(cursor), checksum: cursor.int(HeadColumns.count),
                hasOwner: cursor.int(HeadColumns.count + 1) == 1, catalog, &findings)
        }
        counts.finish(catalog, &walk.findings)
    }
}
