import CloudKitWire
import NephosStorage

/// Writes of the table `trash`.
struct TrashWriter {
    let tenant: TenantNumber
    let transaction: Transaction

    /// Copies records that are about to be removed. Their stored checksums are read first: they become part of the trash
    /// rows' checksums, so that damage before the deletion is still detected.
    func keep(_ deletions: [RecordDeletion], _ ledger: inout Ledger) throws(StorageError) {
        for (database, rows) in deletions.filter({ $0.trash != nil }).groups(by: \.old.database) {
            let stored = try tenant.stored(database)
            let numbers = rows.map(\.old.number)
            var checksums: [RecordNumber: Int64] = [:]
            let found = try transaction.run(Self.checksums, stored, numbers)
            try found.forEach { row throws(StorageError) in checksums[row.int(0)] = row.int(1) }
            for row in rows {
                guard let checksum = checksums[row.old.number] else {
                    throw .failed("record \(row.old.number) to delete does not exist")
                }
                let (time, user) = (row.tombstone.deletedAt, row.trash?.deletedBy)
                transaction.later(
                    Self.copy, time, user, TrashRow.checksum(record: checksum, deletedAt: time, deletedBy: user),
                    stored, row.old.number)
            }
            try ledger.count(database) { $0.trash += Int64(rows.count) }
        }
    }

    /// Removes rows that are stored exactly as given, and releases their files: a restored record holds them again.
    func take(_ rows: [TrashRow], _ ledger: inout Ledger) throws(StorageError) {
        let tables = TableWriter(tenant: tenant, transaction: transaction, tables: .server)
        try tables.apply(rows.map { RowChange(removing: $0) }, &ledger)
        let holders = rows.filter { $0.record.flags.contains(.assets) }.map {
            AssetWriter.Holder(RecordStub($0.record))
        }
        try AssetWriter(tenant: tenant, transaction: transaction).release(of: holders, &ledger)
    }

    private static let columns = RecordColumns.copied
    private static let checksums = Statement(
        "SELECT record_no, checksum FROM records WHERE db = $1 AND record_no = ANY($2::bigint[])")
    private static let copy = Statement(
        """
        INSERT INTO trash (db, \(columns), deleted_at, deleted_by, checksum)
        SELECT db, \(columns), $1, $2, $3 FROM records WHERE db = $4 AND record_no = $5
        """)
}
