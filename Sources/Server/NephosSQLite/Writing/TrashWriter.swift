import CloudKitWire
import NephosStorage

/// Writes of the table `trash`.
struct TrashWriter {
    let connection: Connection
    let tables: TableWriter
    let assets: AssetWriter

    /// Copies a record that is about to be removed.
    func keep(
        _ record: RecordStub, deletedAt time: Milliseconds, by user: UserID?, _ ledger: inout Ledger
    ) throws(StorageError) {
        // The checksum becomes part of the trash row's checksum, so that damage before the deletion is still detected.
        guard let checksum = try connection.first(Self.checksum, record.database, record.number, read: { $0.int(0) })
        else { throw .failed("record \(record.number) to delete does not exist") }
        try connection.run(
            Self.copy, time, user, TrashRow.checksum(record: checksum, deletedAt: time, deletedBy: user),
            record.database, record.number)
        try ledger.count(record.database) { $0.trash += 1 }
    }

    /// Removes a row that is stored exactly as in `row`, and releases its files: a restored record holds them again.
    func take(_ row: TrashRow, _ ledger: inout Ledger) throws(StorageError) {
        try tables.apply(RowChange(removing: row), &ledger)
        if row.record.flags.contains(.assets) {
            try assets.release(of: row.record.number, in: row.record.zone, of: row.record.database, &ledger)
        }
    }

    private static let checksum = Statement("SELECT checksum FROM records WHERE \(RowKey.isBound)")
    private static let copy = Statement(
        """
        INSERT INTO trash (db, \(RecordColumns.list), deleted_at, deleted_by, checksum)
        SELECT db, \(RecordColumns.list), ?, ?, ? FROM records WHERE \(RowKey.isBound)
        """)
}
