import CloudKitWire
import NephosStorage

/// Writes of the table `refs`.
final class ReferenceWriter {
    private let connection: Connection
    private let insertion: Query
    private let removal: Query

    init(_ connection: Connection) {
        self.connection = connection
        insertion = Query(
            connection, "INSERT INTO refs (db, zone_no, target, kind, record_no, checksum) VALUES (?,?,?,?,?,?)")
        removal = Query(connection, "DELETE FROM refs WHERE db = ? AND record_no = ?")
    }

    func insert(
        _ targets: [ReferenceTarget], of record: RecordRow, _ ledger: inout Ledger
    ) throws(StorageError) {
        for target in targets {
            let row = ReferenceRow(
                database: record.database, zone: record.zone, target: target.target, kind: target.kind,
                record: record.number)
            var cursor = try insertion.start()
            cursor.bind(row.database)
            cursor.bind(row.zone)
            cursor.bind(row.target)
            cursor.bind(row.kind.rawValue)
            cursor.bind(row.record)
            cursor.bind(row.checksum)
            try cursor.finish()
        }
        try ledger.count(record.database) { $0.references += Int64(targets.count) }
    }

    func removeAll(
        of record: RecordNumber, in database: DatabaseNumber, _ ledger: inout Ledger
    ) throws(StorageError) {
        var cursor = try removal.start()
        cursor.bind(database)
        cursor.bind(record)
        try cursor.finish()
        let removed = connection.changes
        try ledger.count(database) { $0.references -= removed }
    }
}
