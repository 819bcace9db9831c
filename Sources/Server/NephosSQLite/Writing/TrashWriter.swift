import CloudKitWire
import NephosStorage

/// Writes of the table `trash`.
struct TrashWriter {
    let connection: Connection
    let tables: TableWriter
    let assets: AssetWriter

    /// Copies a record that is about to go.
    func keep(
        _ record: RecordStub, deletedAt time: Milliseconds, by user: UserID?, _ ledger: inout Ledger
    ) throws(StorageError) {
        // It goes into the trash's own, so that a record which was damaged before it was deleted is still found.
        guard let checksum = try connection.first(Self.checksum, record.database, record.number, read: { $0.int(0) })
        else { throw .failed("record \(record.number) to delete is not there") }
        try connection.run(
            Self.copy, time, user, TrashRow.checksum(record: checksum, deletedAt: time, deletedBy: user),
            record.database, record.number)
        try ledger.count(record.database) { $0.trash += 1 }
    }

    /// Takes out a row that lies there just as `row` says, and lets go of its files: who restores it holds them anew.
    func take(_ row: TrashRow, _ ledger: inout Ledger) throws(StorageError) {
        try tables.apply(RowChange(removing: row), &ledger)
        if row.record.flags.contains(.assets) {
            try assets.letGo(of: row.record.number, in: row.record.zone, of: row.record.database, &ledger)
        }
    }

    private static let checksum = Statement("SELECT checksum FROM records WHERE \(RowKey.isBound)")
    private static let copy = Statement(
        """
        INSERT INTO trash (db, \(RecordColumns.list), deleted_at, deleted_by, checksum)
        SELECT db, \(RecordColumns.list), ?, ?, ? FROM records WHERE \(RowKey.isBound)
        """)
}
