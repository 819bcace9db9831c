import CloudKitWire
import NephosStorage

/// Writes of the tables `assets` and `asset_refs`.
///
/// When the last record that holds a file releases it, the time is stored in the file's row. A record that holds it again resets that.
struct AssetWriter {
    let connection: Connection
    let tables: TableWriter

    /// Has a record hold these files. - Throws: ``StorageError/failed(_:)`` for a file that does not exist.
    func hold(_ uses: [AssetUse], by record: RecordRow, _ ledger: inout Ledger) throws(StorageError) {
        for use in uses {
            guard try connection.run(Self.claim, record.database, use.address, use.size) == 1 else {
                throw .failed("record \(record.number) references a file that does not exist")
            }
            let row = AssetUseRow(database: record.database, zone: record.zone, record: record.number, use: use)
            try tables.apply(RowChange(row), &ledger)
        }
    }

    /// Releases all files of a record.
    ///
    /// - Parameter time: The time of the release; nil for the time of the database's head.
    func release(
        of record: RecordNumber, in zone: ZoneNumber, of database: DatabaseNumber, at time: Milliseconds? = nil,
        _ ledger: inout Ledger
    ) throws(StorageError) {
        let uses = try connection.rows(Self.removal, database, zone, record) { row throws(StorageError) in
            try row.row(AssetUseRow.self).use
        }
        try release(of: uses, in: database, at: time ?? ledger.head(database)?.time ?? 0, &ledger)
    }

    /// Subtracts uses that are removed already from the counters, and sets the time of files that no record holds any more.
    func release(
        of uses: [AssetUse], in database: DatabaseNumber, at time: Milliseconds, _ ledger: inout Ledger
    ) throws(StorageError) {
        for use in uses {
            try ledger.count(database) {
                $0.assets -= use.count
                $0.assetBytes -= use.bytes
            }
            try release(use.address, of: database, at: time)
        }
    }

    /// Sets the time of release of a file, if no record holds it any more.
    func release(_ address: [UInt8], of database: DatabaseNumber, at time: Milliseconds) throws(StorageError) {
        // At time 0 it would look like a file that is held.
        try connection.run(Self.release, database, address, max(time, 1))
    }

    private static let claim = Statement("UPDATE assets SET released_at = 0 WHERE db = ? AND address = ? AND size = ?")
    private static let removal = Statement(
        """
        DELETE FROM asset_refs WHERE db = ? AND zone_no = ? AND record_no = ?
        RETURNING \(TableSQL.list(AssetUseRow.table))
        """)
    private static let release = Statement(
        """
        UPDATE assets SET released_at = ?3 WHERE db = ?1 AND address = ?2
            AND NOT EXISTS (SELECT 1 FROM asset_refs AS r WHERE r.db = ?1 AND r.address = ?2)
        """)
}
