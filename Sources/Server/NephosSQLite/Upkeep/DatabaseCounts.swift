import CloudKitWire
import NephosStorage

/// Checks the tables that heads count, and then the heads.
struct DatabaseCounts {
    private struct Count {
        var records: Int64 = 0
        var recordBytes: Int64 = 0
        var tombstones: Int64 = 0
        var references: Int64 = 0
        var events: Int64 = 0
        var cascades: Int64 = 0
        var trash: Int64 = 0
        var zones: Int64 = 0
        var liveZones: Int64 = 0
        var hasDefaultZone = false
    }

    private var counts: [DatabaseNumber: Count] = [:]

    mutating func checkZones(_ walk: inout TableWalk) throws(StorageError) {
        try walk.each(
            "zones",
            """
            SELECT \(ZoneReader.columns), db, checksum, (SELECT seq FROM heads WHERE heads.db = zones.db),
                (SELECT last_zone_no FROM heads WHERE heads.db = zones.db)
            FROM zones
            """
        ) { cursor, findings throws(StorageError) in
            let database = cursor.int(8)
            counts[database, default: Count()].zones += 1
            let zone = try ZoneReader.row(cursor, database)
            if zone.state == .live {
                counts[database, default: Count()].liveZones += 1
                if zone.isDefault { counts[database, default: Count()].hasDefaultZone = true }
            }
            let name = "zone \(zone.number) of database \(database)"
            findings.expect(zone.checksum == cursor.int(9), "zones", "\(name): its checksum is wrong")
            findings.expect(!cursor.isNull(10), "zones", "\(name): there is no such database")
            findings.expect(
                zone.createdSequence <= zone.changedSequence && zone.changedSequence <= cursor.int(10), "zones",
                "\(name): its sequences lie beyond the head")
            findings.expect(zone.number <= cursor.int(11), "zones", "\(name): its number was never given out")
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
                EXISTS (SELECT 1 FROM tombstones t \(sameZone) AND t.name = records.name),
                EXISTS (SELECT 1 FROM tombstones t \(sameZone) AND t.seq = records.seq)
            FROM records
            """
        ) { cursor, findings throws(StorageError) in
            let database = cursor.int(17)
            counts[database, default: Count()].records += 1
            counts[database, default: Count()].recordBytes += cursor.int(RecordColumns.size)
            var page = RecordPage()
            try page.add(cursor, database: database)
            guard let record = page.finish().first else { return }
            let name = "record \(record.number) of database \(database)"
            findings.expect(record.checksum == cursor.int(18), "records", "\(name): its checksum is wrong")
            findings.expect(
                record.storedBytes == cursor.int(RecordColumns.size), "records", "\(name): its size is wrong")
            findings.expect(!cursor.isNull(19), "records", "\(name): there is no such database")
            findings.expect(
                record.tagSequence <= record.sequence && record.sequence <= min(cursor.int(19), cursor.int(22)),
                "records", "\(name): its sequence lies beyond its zone or its head")
            findings.expect(record.number <= cursor.int(20), "records", "\(name): its number was never given out")
            let state = cursor.optionalInt(21).flatMap { ZoneRow.State(rawValue: $0) }
            findings.expect(
                state == .live || state == .dead, "records", "\(name): there is no zone \(record.zone) for it")
            // A sweep takes the references first, perhaps in an earlier transaction.
            findings.expect(
                record.referenceCount == cursor.int(23) || state == .dead, "records",
                "\(name): counts \(record.referenceCount) references, not \(cursor.int(23))")
            findings.expect(cursor.int(24) == 0, "records", "\(name): lives beside a tombstone of its name")
            findings.expect(cursor.int(25) == 0, "records", "\(name): shares its sequence with a tombstone")
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
            counts[cursor.int(0), default: Count()].tombstones += 1
            let row = TombstoneRow(
                database: cursor.int(0), zone: cursor.int(1), name: cursor.name(3), sequence: cursor.int(2),
                type: try cursor.type(4), deletedAt: cursor.int(5))
            let name = "tombstone \(row.sequence) of zone \(row.zone) of database \(row.database)"
            findings.expect(row.checksum == cursor.int(6), "tombstones", "\(name): its checksum is wrong")
            findings.expect(!cursor.isNull(7), "tombstones", "\(name): there is no such zone")
            findings.expect(row.sequence <= cursor.int(7), "tombstones", "\(name): its sequence lies beyond its zone")
        }
    }

    mutating func checkReferences(_ walk: inout TableWalk) throws(StorageError) {
        try walk.each(
            "refs",
            """
            SELECT db, zone_no, target, kind, record_no, checksum,
                EXISTS (SELECT 1 FROM records r
                    WHERE r.db = f.db AND r.record_no = f.record_no AND r.zone_no = f.zone_no)
            FROM refs f
            """
        ) { cursor, findings throws(StorageError) in
            counts[cursor.int(0), default: Count()].references += 1
            let row = ReferenceRow(
                database: cursor.int(0), zone: cursor.int(1), target: cursor.name(2),
                kind: try cursor.kind(3, of: ReferenceKind.self), record: cursor.int(4))
            let name = "reference of record \(row.record) of database \(row.database) to '\(row.target)'"
            findings.expect(row.checksum == cursor.int(5), "refs", "\(name): its checksum is wrong")
            findings.expect(cursor.int(6) == 1, "refs", "\(name): there is no such record")
        }
    }

    mutating func checkEvents(_ walk: inout TableWalk) throws(StorageError) {
        try walk.each(
            "events",
            """
            SELECT db, seq, zone_no, kind, name, client, checksum, old_fields, new_fields,
                (SELECT h.seq FROM heads h WHERE h.db = e.db)
            FROM events e
            """
        ) { cursor, findings throws(StorageError) in
            counts[cursor.int(0), default: Count()].events += 1
            let row = ChangeEventRow(
                database: cursor.int(0), sequence: cursor.int(1), zone: cursor.int(2), name: cursor.name(4),
                kind: try cursor.kind(3, of: ChangeEventRow.Kind.self), client: cursor.string(5),
                oldFields: cursor.isNull(7) ? nil : cursor.bytes(7)[...],
                newFields: cursor.isNull(8) ? nil : cursor.bytes(8)[...])
            let name = "event \(row.sequence) of database \(row.database)"
            findings.expect(row.checksum == cursor.int(6), "events", "\(name): its checksum is wrong")
            findings.expect(row.sequence <= cursor.int(9), "events", "\(name): its sequence lies beyond the head")
        }
    }

    mutating func checkCascades(_ walk: inout TableWalk) throws(StorageError) {
        try walk.each("cascades", "SELECT db, zone_no, target, seq, checksum FROM cascades") {
            cursor, findings throws(StorageError) in
            counts[cursor.int(0), default: Count()].cascades += 1
            let row = PendingCascadeRow(
                database: cursor.int(0), zone: cursor.int(1), target: cursor.name(2), sequence: cursor.int(3))
            findings.expect(
                row.checksum == cursor.int(4), "cascades",
                "the cascade of \(row.target) in database \(row.database): its checksum is wrong")
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
            counts[database, default: Count()].trash += 1
            let row = try TrashReader.row(cursor, database: database)
            let (record, name) = (row.record, "record \(row.record.number) of database \(database)")
            findings.expect(
                row.checksum == cursor.int(TrashReader.columnCount + 1), "trash", "\(name): its checksum is wrong")
            findings.expect(
                record.storedBytes == cursor.int(RecordColumns.size), "trash", "\(name): its size is wrong")
            findings.expect(
                record.sequence <= cursor.int(TrashReader.columnCount + 2), "trash",
                "\(name): its sequence lies beyond the head")
            findings.expect(
                record.number <= cursor.int(TrashReader.columnCount + 3), "trash",
                "\(name): its number was never given out")
        }
    }

    /// - Parameter catalog: The catalog's row; nil when it cannot be read.
    mutating func checkHeads(
        _ walk: inout TableWalk, _ catalog: CatalogHead?
    ) throws(StorageError) {
        let lanes = catalog?.lanes ?? 1
        var expected: DatabaseNumber = 1
        try walk.each(
            "heads",
            """
            SELECT \(HeadColumns.list), checksum, EXISTS (
                SELECT 1 FROM users u WHERE u.id = heads.owner AND u.private_db = heads.db)
            FROM heads ORDER BY db
            """
        ) { cursor, findings throws(StorageError) in
            let database = cursor.int(0)
            findings.expect(database == expected, "heads", "database \(expected) is missing")
            expected = database + 1
            let head = try HeadColumns.read(cursor)
            let isLane = database <= lanes
            let name = "database \(database)"
            findings.expect(head.checksum == cursor.int(HeadColumns.count), "heads", "\(name): its checksum is wrong")
            findings.expect(
                isLane == (head.kind == .publicLane) && isLane == (head.owner == nil), "heads",
                "\(name): is of the wrong kind")
            findings.expect(
                isLane || cursor.int(HeadColumns.count + 1) == 1, "users", "the owner of \(name) is missing")
            compare(head, counts.removeValue(forKey: database) ?? Count(), &findings)
        }
        let last = catalog?.lastDatabase ?? expected - 1
        walk.findings.expect(
            expected == last + 1, "heads", "the last database is \(expected - 1), but \(last) were made")
        for database in counts.keys.sorted() {
            walk.findings.add("heads", "database \(database) is missing, but has rows")
        }
    }

    private func compare(_ head: HeadRow, _ real: Count, _ findings: inout Findings) {
        let pairs = [
            ("records", head.records, real.records), ("records", head.recordBytes, real.recordBytes),
            ("tombstones", head.tombstones, real.tombstones), ("refs", head.references, real.references),
            ("events", head.events, real.events), ("zones", head.zones, real.zones),
            ("zones", head.liveZones, real.liveZones), ("cascades", head.cascades, real.cascades),
            ("trash", head.trash, real.trash),
        ]
        for (table, counted, found) in pairs {
            findings.expect(
                counted == found, table,
                "database \(head.database): its head counts \(counted) rows or bytes, found \(found)")
        }
        findings.expect(real.hasDefaultZone, "zones", "database \(head.database): has no default zone")
    }
}
