import CloudKitWire
import NephosStorage

/// Writes of the tables `records` and `tombstones`.
struct RecordWriter {
    let connection: Connection
    let tables: TableWriter
    private var trash: TrashWriter { TrashWriter(connection: connection, tables: tables, assets: assets) }
    private var events: EventWriter { EventWriter(connection: connection, tables: tables) }
    private var assets: AssetWriter { AssetWriter(connection: connection, tables: tables) }
    private var references: ReferenceWriter { ReferenceWriter(connection: connection) }

    func apply(_ write: RecordWrite, _ ledger: inout Ledger) throws(StorageError) {
        let record = write.new
        try ledger.check(record.sequence, in: record.database)
        try ledger.check(number: record.number, in: record.database)
        if let old = write.old, old.number == record.number {
            try update(record, over: old, ledger)
            try ledger.count(record.database) { $0.recordBytes += record.storedBytes - old.storedBytes }
        } else {
            if let old = write.old { try remove(old, &ledger) }
            try insert(record, &ledger)
        }
        if let targets = write.references {
            guard targets.count == Int(record.referenceCount) else {
                throw .failed(
                    "record \(record.number) counts \(record.referenceCount) references, not \(targets.count)")
            }
            if let old = write.old, old.number == record.number, old.referenceCount > 0 {
                try references.removeAll(of: record.number, in: record.database, &ledger)
            }
            try references.insert(targets, of: record, &ledger)
        } else if record.referenceCount != write.old?.referenceCount ?? 0 {
            throw .failed("record \(record.number) counts more or fewer references than it has")
        }
        if let uses = write.assets {
            if let old = write.old, old.number == record.number, old.flags.contains(.assets) {
                try assets.release(of: record.number, in: record.zone, of: record.database, &ledger)
            }
            try assets.hold(uses, by: record, &ledger)
        }
    }

    func apply(_ deletion: RecordDeletion, _ ledger: inout Ledger) throws(StorageError) {
        let tombstone = deletion.tombstone
        try ledger.check(tombstone.sequence, in: tombstone.database)
        if let kept = deletion.trash {
            try trash.keep(deletion.old, deletedAt: tombstone.deletedAt, by: kept.deletedBy, &ledger)
        }
        try remove(deletion.old, keepsAssets: deletion.trash != nil, &ledger)
        try connection.run(
            Self.burial, tombstone.database, tombstone.zone, tombstone.sequence, tombstone.name, tombstone.type,
            tombstone.deletedAt, tombstone.checksum)
        try ledger.count(tombstone.database) { $0.tombstones += 1 }
    }

    private func update(_ record: RecordRow, over old: RecordStub, _ ledger: Ledger) throws(StorageError) {
        try events.keep(old.number, in: old.database, ledger, nextSequence: record.sequence)
        try write(record, Self.change)
        guard connection.changes == 1 else { throw .failed("record \(record.number) to change does not exist") }
    }

    private func insert(_ record: RecordRow, _ ledger: inout Ledger) throws(StorageError) {
        try write(record, Self.insertion)
        let unburied = try connection.run(Self.unburial, record.database, record.zone, record.name)
        try ledger.count(record.database) {
            $0.records += 1
            $0.recordBytes += record.storedBytes
            $0.tombstones -= unburied
        }
    }

    /// - Parameter keepsAssets: Whether the record is kept in the trash, under its number, and still holds its files.
    private func remove(
        _ old: RecordStub, keepsAssets: Bool = false, _ ledger: inout Ledger
    ) throws(StorageError) {
        try events.keep(old.number, in: old.database, ledger)
        guard try connection.run(Self.removal, old.database, old.number) == 1 else {
            throw .failed("record \(old.number) to delete does not exist")
        }
        try ledger.count(old.database) {
            $0.records -= 1
            $0.recordBytes -= old.storedBytes
        }
        if old.referenceCount > 0 { try references.removeAll(of: old.number, in: old.database, &ledger) }
        if old.flags.contains(.assets), !keepsAssets {
            try assets.release(of: old.number, in: old.zone, of: old.database, &ledger)
        }
    }

    private func write(_ record: RecordRow, _ statement: Statement) throws(StorageError) {
        var cursor = try connection.start(statement)
        cursor.bind(record.sequence)
        cursor.bind(record.tagSequence)
        cursor.bind(Int64(record.type))
        cursor.bind(record.createdAt)
        cursor.bind(record.createdBy)
        cursor.bind(record.modifiedAt)
        cursor.bind(record.modifiedBy)
        cursor.bind(text: record.parent?.bytes)
        cursor.bind(record.share)
        cursor.bind(record.flags.rawValue)
        cursor.bind(record.fieldsEpoch)
        cursor.bind(record.referenceCount)
        cursor.bind(record.storedBytes)
        cursor.bind(record.checksum)
        cursor.bind(text: record.fields)
        cursor.bind(record.database)
        cursor.bind(record.number)
        cursor.bind(record.zone)
        cursor.bind(record.name)
        try cursor.finish()
    }

    private static let insertion = Statement(
        """
        INSERT INTO records (
            seq, tag_seq, type, created_at, created_by, modified_at, modified_by, parent, share_root, flags,
            fields_epoch, ref_count, size, checksum, fields, db, record_no, zone_no, name, id
        ) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?, \(RowKey.id("?16", "?17")))
        """)
    private static let change = Statement(
        """
        UPDATE records SET seq = ?, tag_seq = ?, type = ?, created_at = ?, created_by = ?, modified_at = ?,
            modified_by = ?, parent = ?, share_root = ?, flags = ?, fields_epoch = ?, ref_count = ?, size = ?,
            checksum = ?, fields = ?
        WHERE \(RowKey.isBound) AND zone_no = ? AND name = ?
        """)
    private static let removal = Statement("DELETE FROM records WHERE \(RowKey.isBound)")
    private static let burial = Statement(
        TableSQL.insertion(
            into: "tombstones", ["db", "zone_no", "seq", "name", "type", "deleted_at", "checksum"]))
    private static let unburial = Statement("DELETE FROM tombstones WHERE db = ? AND zone_no = ? AND name = ?")
}
