import CloudKitWire
import NephosStorage

/// Writes of the table `refs`.
struct ReferenceWriter {
    let connection: Connection

    func insert(
        _ targets: [ReferenceTarget], of record: RecordRow, _ ledger: inout Ledger
    ) throws(StorageError) {
        for target in targets {
            let row = ReferenceRow(
                database: record.database, zone: record.zone, target: target.target, kind: target.kind,
                record: record.number)
            try connection.run(
                Self.insertion, row.database, row.zone, row.target, row.kind.rawValue, row.record, row.checksum)
        }
        try ledger.count(record.database) { $0.references += Int64(targets.count) }
    }

    func removeAll(
        of record: RecordNumber, in database: DatabaseNumber, _ ledger: inout Ledger
    ) throws(StorageError) {
        let removed = try connection.run(Self.removal, database, record)
        try ledger.count(database) { $0.references -= removed }
    }

    private static let insertion = Statement(
        TableSQL.insertion(into: "refs", ["db", "zone_no", "target", "kind", "record_no", "checksum"]))
    private static let removal = Statement("DELETE FROM refs WHERE db = ? AND record_no = ?")
}
