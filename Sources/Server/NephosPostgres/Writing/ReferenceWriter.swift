import CloudKitWire
import NephosStorage

/// Writes of the table `refs`.
struct ReferenceWriter {
    let tenant: TenantNumber
    let transaction: Transaction

    /// Stores the references of written records.
    func apply(_ writes: [RecordWrite], _ ledger: inout Ledger) throws(StorageError) {
        var rows: [ReferenceRow] = []
        var replaced: [RecordStub] = []
        for write in writes {
            let record = write.new
            guard let targets = write.references else {
                guard record.referenceCount == write.old?.referenceCount ?? 0 else {
                    throw .failed("record \(record.number) counts more or fewer references than it has")
                }
                continue
            }
            guard targets.count == Int(record.referenceCount) else {
                throw .failed(
                    "record \(record.number) counts \(record.referenceCount) references, not \(targets.count)")
            }
            if let old = write.old, old.number == record.number, old.referenceCount > 0 { replaced.append(old) }
            rows += targets.map {
                ReferenceRow(
                    database: record.database, zone: record.zone, target: $0.target, kind: $0.kind,
                    record: record.number)
            }
        }
        try removeAll(of: replaced, &ledger)
        try insert(rows, &ledger)
    }

    /// Removes all references of these records.
    func removeAll(of records: [RecordStub], _ ledger: inout Ledger) throws(StorageError) {
        for (database, rows) in records.groups(by: \.database) {
            transaction.later(Self.removal, try tenant.stored(database), rows.map(\.number))
            let count = rows.reduce(0) { $0 + $1.referenceCount }
            try ledger.count(database) { $0.references -= count }
        }
    }

    private func insert(_ references: [ReferenceRow], _ ledger: inout Ledger) throws(StorageError) {
        for (database, rows) in references.groups(by: \.database) {
            transaction.later(
                Self.insertion, try tenant.stored(database), rows.map(\.zone), rows.map(\.target),
                rows.map(\.kind.rawValue), rows.map(\.record), rows.map(\.checksum))
            try ledger.count(database) { $0.references += Int64(rows.count) }
        }
    }

    private static let insertion = Statement(
        BulkInsertion.sql(
            "refs", "zone_no, target, kind, record_no, checksum", [.bigint, .bytea, .bigint, .bigint, .bigint]))
    private static let removal = Statement("DELETE FROM refs WHERE db = $1 AND record_no = ANY($2::bigint[])")
}
