import CloudKitWire
import NephosStorage

/// Writes of the table `trash`.
final class TrashWriter {
    private let tables: TableWriter
    private let assets: AssetWriter
    private let storedChecksum: Query
    private let copy: Query

    init(_ connection: Connection, _ tables: TableWriter, _ assets: AssetWriter) {
        self.tables = tables
        self.assets = assets
        storedChecksum = Query(connection, "SELECT checksum FROM records WHERE \(RowKey.isBound)")
        copy = Query(
            connection,
            """
            INSERT INTO trash (db, \(RecordColumns.list), deleted_at, deleted_by, checksum)
            SELECT db, \(RecordColumns.list), ?, ?, ? FROM records WHERE \(RowKey.isBound)
            """)
    }

    /// Copies a record that is about to go.
    func keep(
        _ record: RecordStub, deletedAt time: Milliseconds, by user: UserID?, _ ledger: inout Ledger
    ) throws(StorageError) {
        guard let checksum = try storedChecksum(of: record) else {
            throw .failed("record \(record.number) to delete is not there")
        }
        var cursor = try copy.start()
        cursor.bind(time)
        cursor.bind(user)
        cursor.bind(TrashRow.checksum(record: checksum, deletedAt: time, deletedBy: user))
        cursor.bind(record.database)
        cursor.bind(record.number)
        try cursor.finish()
        try ledger.count(record.database) { $0.trash += 1 }
    }

    /// Takes out a row that lies there just as `row` says, and lets go of its files: who restores it holds them anew.
    func take(_ row: TrashRow, _ ledger: inout Ledger) throws(StorageError) {
        try tables.apply(RowChange(removing: row), &ledger)
        if row.record.flags.contains(.assets) {
            try assets.letGo(of: row.record.number, in: row.record.zone, of: row.record.database, &ledger)
        }
    }

    /// The checksum that is stored with a record. It goes into the trash's own, so that a record which was damaged
    /// before it was deleted is still found.
    private func storedChecksum(of record: RecordStub) throws(StorageError) -> Int64? {
        var cursor = try storedChecksum.start()
        cursor.bind(record.database)
        cursor.bind(record.number)
        return try cursor.next() ? cursor.int(0) : nil
    }
}
