import CloudKitWire
import NephosStorage

func insertion(of row: CatalogRow) -> Statement? {
    switch row {
    case .type(let row):
        Statement("INSERT INTO types VALUES ($1, $2, $3)", .int(Int64(row.number)), .name(row.name), .int(row.epoch))
    case .field(let row):
        Statement(
            "INSERT INTO fields VALUES ($1, $2, $3, $4, $5)", .int(Int64(row.type)), .name(row.name),
            .int(row.kind.rawValue), .int(row.isEncrypted ? 1 : 0), .int(row.options.rawValue))
    case .role(let row): Statement("INSERT INTO roles VALUES ($1, $2)", .int(row.number), .name(row.name))
    case .grant(let row):
        Statement(
            "INSERT INTO grants VALUES ($1, $2, $3)", .int(Int64(row.type)), .int(row.role), .int(row.rights.rawValue))
    case .token, .key, .session: nil
    }
}

func insertion(of head: HeadRow) -> Statement {
    var insertion = Statement("INSERT INTO heads VALUES ($1, $2, $3\((4...16).map { ", $\($0)" }.joined()))")
    insertion.values = [.int(head.database), .int(head.kind.rawValue), head.owner.map { .user($0) } ?? .null]
    insertion.values += [
        head.sequence, head.recordNumber, head.zoneNumber, head.time, head.purgedSequence, head.watchers,
        head.records, head.recordBytes, head.tombstones, head.references, head.events, head.zones, head.liveZones,
    ].map { .int($0) }
    return insertion
}

func insertion(of zone: ZoneRow) -> Statement {
    Statement(
        "INSERT INTO zones VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)", .int(zone.database), .int(zone.number),
        .name(zone.name), .int(zone.state.rawValue), .int(zone.createdSequence), .int(zone.changedSequence),
        .int(zone.purgedSequence), .int(zone.createdAt), .int(zone.deletedAt))
}

extension WriteSet {
    /// All statements for this set; the heads last.
    ///
    /// - Parameter catalogHead: The catalog's row; it must be locked if ``touchesCatalog`` is true.
    func statements(_ catalogHead: CatalogHead) throws(StorageError) -> [Statement] {
        var all = zones.map { write in
            write.old == nil
                ? insertion(of: write.new)
                : Statement(
                    """
                    UPDATE zones SET state = $3, changed_seq = $4, purged_seq = $5, deleted_at = $6
                    WHERE db = $1 AND zone_no = $2
                    """, .int(write.new.database), .int(write.new.number), .int(write.new.state.rawValue),
                    .int(write.new.changedSequence), .int(write.new.purgedSequence), .int(write.new.deletedAt))
        }
        all += deletions.flatMap(\.statements)
        all += records.flatMap(\.statements)
        all += users.map {
            Statement(
                "INSERT INTO users VALUES ($1, $2, $3, $4, $5)", .user($0.id), .int($0.source.rawValue),
                .text($0.sourceID), .int($0.privateDatabase), .int($0.createdAt))
        }
        all += databases.map { insertion(of: counted($0)) }
        if touchesCatalog { all += try catalogStatements(catalogHead) }
        return all + heads.map(advance)
    }

    private func catalogStatements(_ head: CatalogHead) throws(StorageError) -> [Statement] {
        var all: [Statement] = []
        var digest = head.digest
        for write in catalog {
            guard write.old == nil, let new = write.new, let insertion = insertion(of: new) else {
                throw .failed("the spike only adds to the schema")
            }
            all.append(insertion)
            digest &+= new.checksum
        }
        let version = head.version + (catalog.contains(where: \.changesVersion) ? 1 : 0)
        all.append(
            Statement(
                "UPDATE catalog SET version = $1, last_db = $2, digest = $3", .int(version),
                .int(head.lastDatabase + Int64(databases.count)), .int(digest)))
        return all
    }

    /// Deletes the tombstones of names that are used again, and updates the head by what all statements together
    /// change. Only the server knows how many tombstones are deleted, so both are one statement.
    private func advance(_ head: HeadRow) -> Statement {
        let change = counted(HeadRow(database: head.database, kind: head.kind, owner: head.owner))
        let born = records.filter { $0.old == nil && $0.new.database == head.database }.map(\.new)
        return Statement(
            """
            WITH gone AS (
                DELETE FROM tombstones t USING unnest($2::bigint[], $3::bytea[]) AS b (zone_no, name)
                WHERE t.db = $1 AND t.zone_no = b.zone_no AND t.name = b.name RETURNING 1)
            UPDATE heads SET seq = $4, last_record_no = $5, last_zone_no = $6, last_time = $7, purged_seq = $8,
                watchers = $9, records = records + $10, record_bytes = record_bytes + $11,
                tombstones = tombstones + $12 - (SELECT count(*) FROM gone), refs = refs + $13, zones = zones + $14,
                live_zones = live_zones + $15
            WHERE db = $1
            """, .int(head.database), .ints(born.map(\.zone)), .manyBytes(born.map(\.name.bytes)),
            .int(head.sequence), .int(head.recordNumber), .int(head.zoneNumber), .int(head.time),
            .int(head.purgedSequence), .int(head.watchers), .int(change.records), .int(change.recordBytes),
            .int(change.tombstones), .int(change.references), .int(change.zones), .int(change.liveZones))
    }

    /// `head` with what this set adds to its counters, except for the tombstones that are deleted.
    private func counted(_ head: HeadRow) -> HeadRow {
        var head = head
        for write in zones where write.new.database == head.database {
            if write.old == nil { head.zones += 1 }
            if write.old?.state == .live { head.liveZones -= 1 }
            if write.new.state == .live { head.liveZones += 1 }
        }
        for write in records where write.new.database == head.database {
            if write.old == nil { head.records += 1 }
            head.recordBytes += write.new.storedBytes - (write.old?.storedBytes ?? 0)
            if let references = write.references {
                head.references += Int64(references.count) - (write.old?.referenceCount ?? 0)
            }
        }
        for deletion in deletions where deletion.old.database == head.database {
            head.records -= 1
            head.recordBytes -= deletion.old.storedBytes
            head.references -= deletion.old.referenceCount
            head.tombstones += 1
        }
        return head
    }
}

extension RecordDeletion {
    fileprivate var statements: [Statement] {
        var all = [
            Statement("DELETE FROM records WHERE db = $1 AND record_no = $2", .int(old.database), .int(old.number)),
            Statement(
                "INSERT INTO tombstones VALUES ($1, $2, $3, $4, $5, $6)", .int(tombstone.database),
                .int(tombstone.zone), .int(tombstone.sequence), .name(tombstone.name), .int(Int64(tombstone.type)),
                .int(tombstone.deletedAt)),
        ]
        if old.referenceCount > 0 { all.append(removal(ofReferencesOf: old)) }
        return all
    }
}

extension RecordWrite {
    fileprivate var statements: [Statement] {
        var all: [Statement] = []
        if let old {
            all.append(
                Statement("DELETE FROM records WHERE db = $1 AND record_no = $2", .int(old.database), .int(old.number)))
        }
        all.append(insertion)
        guard let references else { return all }
        if let old, old.referenceCount > 0 { all.append(removal(ofReferencesOf: old)) }
        all += references.map {
            Statement(
                "INSERT INTO refs VALUES ($1, $2, $3, $4, $5)", .int(new.database), .int(new.zone), .name($0.target),
                .int($0.kind.rawValue), .int(new.number))
        }
        return all
    }

    private var insertion: Statement {
        var insertion = Statement("INSERT INTO records VALUES ($1\((2...18).map { ", $\($0)" }.joined()))")
        insertion.values = [
            .int(new.database), .int(new.number), .int(new.zone), .name(new.name), .int(new.sequence),
            .int(new.tagSequence), .int(Int64(new.type)), .int(new.createdAt), .user(new.createdBy),
            .int(new.modifiedAt), .user(new.modifiedBy), .name(new.parent), new.shareRoot.map { .int($0) } ?? .null,
            .int(new.flags.rawValue), .int(new.fieldsEpoch), .int(new.referenceCount), .int(new.storedBytes),
            .bytes(new.fields),
        ]
        return insertion
    }
}

private func removal(ofReferencesOf old: RecordStub) -> Statement {
    Statement("DELETE FROM refs WHERE db = $1 AND record_no = $2", .int(old.database), .int(old.number))
}
