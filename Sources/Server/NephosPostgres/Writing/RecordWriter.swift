import CloudKitWire
import NephosStorage

/// Writes of the tables `records` and `tombstones`, and of what depends on them: references, trash.
struct RecordWriter {
    let session: WriteSession
    private var tenant: TenantNumber { session.tenant }
    private var transaction: Transaction { session.transaction }

    func apply(
        _ deletions: [RecordDeletion], _ writes: [RecordWrite], _ ledger: inout Ledger
    ) throws(StorageError) {
        guard !deletions.isEmpty || !writes.isEmpty else { return }
        for deletion in deletions { try ledger.check(deletion.tombstone.sequence, in: deletion.tombstone.database) }
        for write in writes {
            try ledger.check(write.new.sequence, in: write.new.database)
            try ledger.check(number: write.new.number, in: write.new.database)
        }
        let isUpdate = { (write: RecordWrite) in write.old?.number == write.new.number }
        let updates = writes.filter(isUpdate)
        let inserts = writes.filter { !isUpdate($0) }
        let gone = deletions.map(\.old) + inserts.compactMap(\.old)

        let tombstoned = try tombstonedNames(of: inserts, deletions)
        try TrashWriter(tenant: tenant, transaction: transaction).keep(deletions, &ledger)
        let changed = updates.compactMap { write in write.old.map { (stub: $0, next: write.new.sequence) } }
        try EventWriter(tenant: tenant, transaction: transaction)
            .keep(gone.map { (stub: $0, next: 0) } + changed, ledger)
        let assets = AssetWriter(tenant: tenant, transaction: transaction)
        // A record that is moved to the trash keeps its files, under its number.
        let forgotten = deletions.filter { $0.trash == nil }.map(\.old) + inserts.compactMap(\.old)
        try assets.release(of: forgotten.filter { $0.flags.contains(.assets) }.map(AssetWriter.Holder.init), &ledger)
        try remove(gone, &ledger)
        try bury(deletions.map(\.tombstone), &ledger)
        try update(updates, &ledger)
        try insert(inserts.map(\.new), &ledger)
        try removeTombstones(tombstoned, &ledger)
        try ReferenceWriter(tenant: tenant, transaction: transaction).apply(writes, &ledger)
        try assets.apply(writes, &ledger)
    }

    // MARK: Records

    private func remove(_ stubs: [RecordStub], _ ledger: inout Ledger) throws(StorageError) {
        for (database, rows) in stubs.groups(by: \.database) {
            transaction.later(
                Self.removal, try tenant.stored(database), rows.map(\.number), Int64(rows.count))
            let referring = rows.filter { $0.referenceCount > 0 }
            try ReferenceWriter(tenant: tenant, transaction: transaction).removeAll(of: referring, &ledger)
            let bytes = rows.reduce(0) { $0 + $1.storedBytes }
            try ledger.count(database) {
                $0.records -= Int64(rows.count)
                $0.recordBytes -= bytes
            }
        }
    }

    private func update(_ writes: [RecordWrite], _ ledger: inout Ledger) throws(StorageError) {
        for (database, rows) in writes.groups(by: \.new.database) {
            var call = try call(Self.change, rows.map(\.new), in: database)
            call.values.add(Int64(rows.count))
            transaction.later(call)
            let growth = rows.reduce(0) { $0 + $1.new.storedBytes - ($1.old?.storedBytes ?? 0) }
            try ledger.count(database) { $0.recordBytes += growth }
        }
    }

    private func insert(_ records: [RecordRow], _ ledger: inout Ledger) throws(StorageError) {
        for (database, rows) in records.groups(by: \.database) {
            transaction.later(try call(Self.insertion, rows, in: database))
            let bytes = rows.reduce(0) { $0 + $1.storedBytes }
            try ledger.count(database) {
                $0.records += Int64(rows.count)
                $0.recordBytes += bytes
            }
        }
    }

    /// The columns of many records, each as an array.
    private func call(
        _ statement: Statement, _ records: [RecordRow], in database: DatabaseNumber
    ) throws(StorageError) -> Call {
        Call(
            statement, try tenant.stored(database), records.map(\.number), records.map(\.zone), records.map(\.name),
            records.map(\.sequence), records.map(\.tagSequence), records.map(\.type), records.map(\.createdAt),
            records.map(\.createdBy), records.map(\.modifiedAt), records.map(\.modifiedBy), records.map(\.parent),
            records.map(\.share), records.map(\.flags.rawValue), records.map(\.fieldsEpoch),
            records.map(\.referenceCount), records.map(\.storedBytes), records.map(\.checksum),
            records.map(\.fields))
    }

    // MARK: Tombstones

    private func bury(_ tombstones: [TombstoneRow], _ ledger: inout Ledger) throws(StorageError) {
        for (database, rows) in tombstones.groups(by: \.database) {
            transaction.later(
                Self.burial, try tenant.stored(database), rows.map(\.zone), rows.map(\.sequence), rows.map(\.name),
                rows.map(\.type), rows.map(\.deletedAt), rows.map(\.checksum))
            try ledger.count(database) { $0.tombstones += Int64(rows.count) }
        }
    }

    private func removeTombstones(_ places: [TombstonedNames.Place], _ ledger: inout Ledger) throws(StorageError) {
        for (database, rows) in places.groups(by: \.database) {
            transaction.later(
                Self.unburial, try tenant.stored(database), rows.map(\.zone), rows.map(\.name), Int64(rows.count))
            try ledger.count(database) { $0.tombstones -= Int64(rows.count) }
        }
    }

    /// The names of new records for which there is a tombstone. Most were looked up before; the others are looked up now.
    private func tombstonedNames(
        of inserts: [RecordWrite], _ deletions: [RecordDeletion]
    ) throws(StorageError) -> [TombstonedNames.Place] {
        // A name that had a record has no tombstone.
        var places = inserts.filter { $0.old == nil }.map { TombstonedNames.Place($0.new) }
        guard !places.isEmpty else { return [] }
        let deleted = Set(deletions.map { TombstonedNames.Place($0.tombstone) })
        let unknown = places.filter { !deleted.contains($0) && session.tombstoned[$0] == nil }
        let found = try find(unknown)
        places.removeAll { !(deleted.contains($0) || session.tombstoned[$0] ?? found.contains($0)) }
        return places
    }

    private func find(_ places: [TombstonedNames.Place]) throws(StorageError) -> Set<TombstonedNames.Place> {
        var found: Set<TombstonedNames.Place> = []
        for (database, rows) in places.groups(by: \.database) {
            let tombstones = try transaction.run(
                Self.search, try tenant.stored(database), rows.map(\.zone), rows.map(\.name))
            try tombstones.forEach { row throws(StorageError) in
                found.insert(TombstonedNames.Place(database: database, zone: row.int(0), name: row.name(1)))
            }
        }
        return found
    }

    // MARK: Statements

    private static let columns = """
        record_no, zone_no, name, seq, tag_seq, type, created_at, created_by, modified_at, modified_by, parent, \
        share_root, flags, fields_epoch, ref_count, size, checksum, fields
        """
    private static let types: [MemberType] = [
        .bigint, .bigint, .bytea, .bigint, .bigint, .bigint, .bigint, .bytea, .bigint, .bytea, .bytea, .bigint, .bigint,
        .bigint, .bigint, .bigint, .bigint, .bytea,
    ]
    private static let insertion = Statement(BulkInsertion.sql("records", columns, types))
    private static let change = Statement(
        Guard.touching(
            "$20",
            """
            UPDATE records AS r SET seq = n.seq, tag_seq = n.tag_seq, type = n.type, created_at = n.created_at,
                created_by = n.created_by, modified_at = n.modified_at, modified_by = n.modified_by,
                parent = n.parent, share_root = n.share_root, flags = n.flags, fields_epoch = n.fields_epoch,
                ref_count = n.ref_count, size = n.size, checksum = n.checksum, fields = n.fields
            FROM \(BulkInsertion.arrays(types)) AS n (\(columns))
            WHERE r.db = $1 AND r.record_no = n.record_no AND r.zone_no = n.zone_no AND r.name = n.name
            RETURNING 1
            """))
    private static let removal = Statement(
        Guard.touching("$3", "DELETE FROM records WHERE db = $1 AND record_no = ANY($2::bigint[]) RETURNING 1"))
    private static let burial = Statement(
        BulkInsertion.sql(
            "tombstones", "zone_no, seq, name, type, deleted_at, checksum",
            [.bigint, .bigint, .bytea, .bigint, .bigint, .bigint]))
    private static let unburial = Statement(
        Guard.touching(
            "$4",
            """
            DELETE FROM tombstones AS t USING unnest($2::bigint[], $3::bytea[]) AS n (zone_no, name)
            WHERE t.db = $1 AND t.zone_no = n.zone_no AND t.name = n.name RETURNING 1
            """))
    private static let search = Statement(
        """
        SELECT t.zone_no, t.name FROM unnest($2::bigint[], $3::bytea[]) AS n (zone_no, name)
        JOIN tombstones AS t ON t.db = $1 AND t.zone_no = n.zone_no AND t.name = n.name
        """)
}

extension TombstonedNames.Place {
    init(_ record: RecordRow) { self.init(database: record.database, zone: record.zone, name: record.name) }

    init(_ tombstone: TombstoneRow) {
        self.init(database: tombstone.database, zone: tombstone.zone, name: tombstone.name)
    }
}
