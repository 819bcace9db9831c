import CloudKitWire
import NephosStorage

/// Writes of the tables `assets` and `asset_refs`.
///
/// A file is let go, which is a time in its row, when the last record does not hold it any more. Whoever claims it again
/// takes that back.
final class AssetWriter {
    private let connection: Connection
    private let tables: TableWriter
    private let claim: Query
    private let removal: Query
    private let release: Query

    init(_ connection: Connection, _ tables: TableWriter) {
        self.connection = connection
        self.tables = tables
        claim = Query(connection, "UPDATE assets SET released_at = 0 WHERE db = ? AND address = ? AND size = ?")
        removal = Query(
            connection,
            """
            DELETE FROM asset_refs WHERE db = ? AND zone_no = ? AND record_no = ?
            RETURNING \(TableSQL.list(AssetUseRow.table))
            """)
        release = Query(
            connection,
            """
            UPDATE assets SET released_at = ?3 WHERE db = ?1 AND address = ?2
                AND NOT EXISTS (SELECT 1 FROM asset_refs AS r WHERE r.db = ?1 AND r.address = ?2)
            """)
    }

    /// Has a record hold these files. - Throws: ``StorageError/failed(_:)`` for a file that is not there.
    func hold(_ uses: [AssetUse], by record: RecordRow, _ ledger: inout Ledger) throws(StorageError) {
        for use in uses {
            var cursor = try claim.start()
            cursor.bind(record.database)
            cursor.bind(blob: use.address)
            cursor.bind(use.size)
            try cursor.finish()
            guard connection.changes == 1 else {
                throw .failed("record \(record.number) holds a file that is not there")
            }
            let row = AssetUseRow(database: record.database, zone: record.zone, record: record.number, use: use)
            try tables.apply(RowChange(row), &ledger)
        }
    }

    /// Has a record let go of all its files.
    ///
    /// - Parameter time: When; nil is the time of the database's head.
    func letGo(
        of record: RecordNumber, in zone: ZoneNumber, of database: DatabaseNumber, at time: Milliseconds? = nil,
        _ ledger: inout Ledger
    ) throws(StorageError) {
        var uses: [AssetUse] = []
        var cursor = try removal.start()
        cursor.bind(database)
        cursor.bind(zone)
        cursor.bind(record)
        while try cursor.next() { uses.append(try cursor.row(AssetUseRow.self).use) }
        try letGo(of: uses, in: database, at: time ?? ledger.head(database)?.time ?? 0, &ledger)
    }

    /// Counts uses out that are gone already, and dates the files that nobody holds any more.
    func letGo(
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

    /// Dates a file, if nobody holds it any more.
    func release(_ address: [UInt8], of database: DatabaseNumber, at time: Milliseconds) throws(StorageError) {
        var cursor = try release.start()
        cursor.bind(database)
        cursor.bind(blob: address)
        // At time 0 it would look like one that is held.
        cursor.bind(max(time, 1))
        try cursor.finish()
    }
}
