import CloudKitWire
import NephosStorage

/// Writes of the tables `records` and `tombstones`.
final class RecordWriter {
    private let connection: Connection
    private let references: ReferenceWriter
    private let indexes: IndexMaintenance
    private let trash: TrashWriter
    private let events: EventWriter
    private let assets: AssetWriter
    private let insertion: Query
    private let change: Query
    private let removal: Query
    private let bury: Query
    private let unbury: Query

    init(
        _ connection: Connection, _ references: ReferenceWriter, _ indexes: IndexMaintenance, _ trash: TrashWriter,
        _ events: EventWriter, _ assets: AssetWriter
    ) {
        self.connection = connection
        self.references = references
        self.indexes = indexes
        self.trash = trash
        self.events = events
        self.assets = assets
        insertion = Query(
            connection,
            """
            INSERT INTO records (
                seq, tag_seq, type, created_at, created_by, modified_at, modified_by, parent, share_root, flags,
                fields_epoch, ref_count, size, checksum, fields, db, record_no, zone_no, name, id
            ) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?, \(RowKey.id("?16", "?17")))
            """)
        change = Query(
            connection,
            """
            UPDATE records SET seq = ?, tag_seq = ?, type = ?, created_at = ?, created_by = ?, modified_at = ?,
                modified_by = ?, parent = ?, share_root = ?, flags = ?, fields_epoch = ?, ref_count = ?, size = ?,
                checksum = ?, fields = ?
            WHERE \(RowKey.isBound) AND zone_no = ? AND name = ?
            """)
        removal = Query(connection, "DELETE FROM records WHERE \(RowKey.isBound)")
        bury = Query(
            connection,
            "INSERT INTO tombstones (db, zone_no, seq, name, type, deleted_at, checksum) VALUES (?,?,?,?,?,?,?)")
        unbury = Query(connection, "DELETE FROM tombstones WHERE db = ? AND zone_no = ? AND name = ?")
    }

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
                throw .failed("record \(record.number) says \(record.referenceCount) references, not \(targets.count)")
            }
            if let old = write.old, old.number == record.number, old.referenceCount > 0 {
                try references.removeAll(of: record.number, in: record.database, &ledger)
            }
            try references.insert(targets, of: record, &ledger)
        } else if record.referenceCount != write.old?.referenceCount ?? 0 {
            throw .failed("record \(record.number) counts other references than it has")
        }
        if let uses = write.assets {
            if let old = write.old, old.number == record.number, old.flags.contains(.assets) {
                try assets.letGo(of: record.number, in: record.zone, of: record.database, &ledger)
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
        var cursor = try bury.start()
        cursor.bind(tombstone.database)
        cursor.bind(tombstone.zone)
        cursor.bind(tombstone.sequence)
        cursor.bind(tombstone.name)
        cursor.bind(Int64(tombstone.type))
        cursor.bind(tombstone.deletedAt)
        cursor.bind(tombstone.checksum)
        try cursor.finish()
        try ledger.count(tombstone.database) { $0.tombstones += 1 }
    }

    private func update(_ record: RecordRow, over old: RecordStub, _ ledger: Ledger) throws(StorageError) {
        let head = ledger.head(record.database)
        let before = try indexes.before(old, head)
        try events.keep(old.number, in: old.database, ledger)
        var cursor = try change.start()
        bind(record, to: &cursor)
        try cursor.finish()
        guard connection.changes == 1 else { throw .failed("record \(record.number) to change is not there") }
        try indexes.replace(before, by: record, head)
    }

    private func insert(_ record: RecordRow, _ ledger: inout Ledger) throws(StorageError) {
        var cursor = try insertion.start()
        bind(record, to: &cursor)
        try cursor.finish()
        var burial = try unbury.start()
        burial.bind(record.database)
        burial.bind(record.zone)
        burial.bind(record.name)
        try burial.finish()
        let unburied = connection.changes
        try indexes.insert(record, ledger.head(record.database))
        try ledger.count(record.database) {
            $0.records += 1
            $0.recordBytes += record.storedBytes
            $0.tombstones -= unburied
        }
    }

    /// - Parameter keepsAssets: It goes on in the trash, under its number.
    private func remove(
        _ old: RecordStub, keepsAssets: Bool = false, _ ledger: inout Ledger
    ) throws(StorageError) {
        let before = try indexes.before(old, ledger.head(old.database))
        try events.keep(old.number, in: old.database, ledger)
        var cursor = try removal.start()
        cursor.bind(old.database)
        cursor.bind(old.number)
        try cursor.finish()
        guard connection.changes == 1 else { throw .failed("record \(old.number) to delete is not there") }
        try indexes.remove(before)
        try ledger.count(old.database) {
            $0.records -= 1
            $0.recordBytes -= old.storedBytes
        }
        if old.referenceCount > 0 { try references.removeAll(of: old.number, in: old.database, &ledger) }
        if old.flags.contains(.assets), !keepsAssets {
            try assets.letGo(of: old.number, in: old.zone, of: old.database, &ledger)
        }
    }

    private func bind(_ record: RecordRow, to cursor: inout Cursor) {
        cursor.bind(record.sequence)
        cursor.bind(record.tagSequence)
        cursor.bind(Int64(record.type))
        cursor.bind(record.createdAt)
        cursor.bind(record.createdBy)
        cursor.bind(record.modifiedAt)
        cursor.bind(record.modifiedBy)
        cursor.bind(text: record.parent?.bytes)
        cursor.bind(record.shareRoot)
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
    }
}
