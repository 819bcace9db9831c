import CloudKitWire
import NephosStorage

/// Writes of the table `index_rows`: the entries of indexes.
enum EntryWriter {
    typealias Entry = (zone: ZoneNumber, index: IndexNumber, key: Bytes, record: RecordNumber)

    /// Adds entries, but those that are there already: an index that is being built meets entries which writers added
    /// before it came to their records.
    static func insert(
        _ entries: [Entry], of database: DatabaseNumber, _ tenant: TenantNumber, _ transaction: Transaction
    ) throws(StorageError) {
        try run(insertion, entries, database, tenant, transaction)
    }

    static func remove(
        _ entries: [Entry], of database: DatabaseNumber, _ tenant: TenantNumber, _ transaction: Transaction
    ) throws(StorageError) {
        try run(removal, entries, database, tenant, transaction)
    }

    private static func run(
        _ statement: Statement, _ entries: [Entry], _ database: DatabaseNumber, _ tenant: TenantNumber,
        _ transaction: Transaction
    ) throws(StorageError) {
        guard !entries.isEmpty else { return }
        let stored = try tenant.stored(database)
        transaction.later(statement) {
            $0.add(stored)
            $0.add(numbers: entries.map(\.zone))
            $0.add(numbers: entries.map(\.index))
            $0.add(pieces: entries.map(\.key))
            $0.add(numbers: entries.map(\.record))
        }
    }

    private static let columns = "zone_no, index_no, key, record_no"
    private static let types: [MemberType] = [.bigint, .bigint, .bytea, .bigint]
    private static let insertion = Statement(
        "\(BulkInsertion.sql("index_rows", columns, types)) ON CONFLICT DO NOTHING")
    private static let removal = Statement(
        """
        DELETE FROM index_rows AS r USING \(BulkInsertion.arrays(types)) AS n (\(columns))
        WHERE r.db = $1 AND r.zone_no = n.zone_no AND r.index_no = n.index_no AND r.key = n.key
            AND r.record_no = n.record_no
        """)
}
