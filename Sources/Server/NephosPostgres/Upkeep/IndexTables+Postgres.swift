import CloudKitWire
import NephosQueries
package import NephosStorage

extension WriteSession: IndexTables {
    func unfinishedIndex(
        in database: DatabaseNumber?
    ) throws(StorageError) -> (database: DatabaseNumber, number: IndexNumber)? {
        let stored = try database.map(tenant.stored)
        let calls = [Self.building, Self.dropped].map { statements in
            guard let stored else { return Call(statements.anywhere, tenant.range) }
            return Call(statements.inDatabase, stored)
        }
        // With a locked head, the container is known to exist.
        let found = locked.isEmpty ? try find(calls) : try transaction.run(calls)
        return found?.lazy.compactMap(\.first).first.map { (tenant.database($0.int(0)), $0.int(1)) }
    }

    func indexList(of database: DatabaseNumber) throws(StorageError) -> IndexList {
        try lock([database])
        guard let head = try lockHead(database) else { throw .failed("there is no database \(database)") }
        return IndexList(head, try indexes(of: database))
    }

    var indexLists: MaintainedIndexLists { store.indexLists }

    func indexes(of database: DatabaseNumber) throws(StorageError) -> [IndexRow] {
        try TableReader(tenant: tenant, isForUpdate: false).rows(IndexRow.all(of: database), transaction)
    }

    func store(_ list: IndexList) throws(StorageError) {
        try TableWriter(tenant: tenant, transaction: transaction, tables: store.described).apply(list.changes)
        guard try lockHead(list.database)?.indexVersion != list.version else { return }
        try changeHead(list.database) { $0.indexVersion = list.version }
    }

    func fill(_ filling: inout IndexFilling, of database: DatabaseNumber) throws(StorageError) {
        let stored = try tenant.stored(database)
        let page = try transaction.run(
            Self.records, stored, filling.range.lowerBound, filling.range.upperBound, filling.types.map(Int64.init),
            filling.rows.oneMore, pageBytes)
        var entries: [StoredEntry] = []
        for index in 0..<page.count {
            guard let new = try filling.entries(of: page[index]) else { break }
            entries += new
        }
        try insert(entries, of: database)
    }

    func records(_ numbers: [RecordNumber], in database: DatabaseNumber) throws(StorageError) -> [RecordRow] {
        try RecordReader(tenant: tenant).records(numbers, in: database, byteLimit: .max, transaction).records
    }

    func insert(_ entries: [StoredEntry], of database: DatabaseNumber) throws(StorageError) {
        try write(Self.insertion, entries, database)
    }

    func remove(_ entries: [StoredEntry], of database: DatabaseNumber) throws(StorageError) {
        try write(Self.removal, entries, database)
    }

    private func write(
        _ statement: Statement, _ entries: [StoredEntry], _ database: DatabaseNumber
    ) throws(StorageError) {
        guard !entries.isEmpty else { return }
        let stored = try tenant.stored(database)
        transaction.later(statement, stored, EntryColumns(entries: entries))
    }

    func firstUnswept(_ database: DatabaseNumber, from zone: ZoneNumber) throws(StorageError) -> ZoneNumber? {
        let stored = try tenant.stored(database)
        return try transaction.run(Self.unswept, stored, zone).first?.int(0)
    }

    func removeEntries(_ limit: Int, of index: IndexRow, in zone: ZoneNumber) throws(StorageError) -> Int {
        let stored = try tenant.stored(index.database)
        return try transaction.run(Self.removalOfFirst, stored, zone, index.number, Int64(limit)).touched
    }

    // MARK: Statements

    private static let building = statements(.building)
    private static let dropped = statements(.dropped)

    private static func statements(_ state: IndexRow.State) -> (inDatabase: Statement, anywhere: Statement) {
        let ofState = """
            SELECT db, index_no FROM indexes
            WHERE state <> \(IndexRow.State.ready.rawValue) AND state = \(state.rawValue)
            """
        let first = "ORDER BY db, index_no LIMIT 1"
        return (
            Statement("\(ofState) AND db = $1 \(first)"), Statement("\(ofState) AND db >= $1 AND db < $2 \(first)")
        )
    }

    /// Records with the states of their zones; fields are included for wanted types, as far as they fit in a page.
    private static let records = Statement(
        """
        SELECT \(RecordColumns.list(of: "r", fields: "CASE WHEN is_wanted AND bytes_before < $6 THEN fields END")),
            (SELECT z.state FROM zones AS z WHERE z.db = $1 AND z.zone_no = r.zone_no)
        FROM (
            SELECT *, sum(bytes) OVER (ORDER BY record_no ROWS UNBOUNDED PRECEDING) - bytes AS bytes_before FROM (
                SELECT *, type = ANY($4::bigint[]) AS is_wanted,
                    CASE WHEN type = ANY($4::bigint[]) THEN octet_length(fields) ELSE 0 END AS bytes
                FROM records WHERE db = $1 AND record_no BETWEEN $2 AND $3 ORDER BY record_no LIMIT $5
            ) AS page
        ) AS r ORDER BY record_no
        """)
    private static let unswept = Statement(
        "SELECT zone_no FROM zones WHERE db = $1 AND zone_no >= $2 AND state < 2 ORDER BY zone_no LIMIT 1")
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
    private static let removalOfFirst = Statement(
        """
        DELETE FROM index_rows AS t USING (
            SELECT key, record_no FROM index_rows WHERE db = $1 AND zone_no = $2 AND index_no = $3
            ORDER BY key, record_no LIMIT $4
        ) AS old
        WHERE t.db = $1 AND t.zone_no = $2 AND t.index_no = $3 AND t.key = old.key AND t.record_no = old.record_no
        """)
}

/// Maximum number of bytes of fields that a chunk reads, plus those of one record.
private let pageBytes: Int64 = 512 << 10

/// Entries of one database as four arrays.
struct EntryColumns: Parameter {
    let entries: [StoredEntry]

    func add(to values: inout Values) {
        values.add(members: entries.map(\.zone))
        values.add(members: entries.map(\.index))
        values.add(members: entries.map(\.key))
        values.add(members: entries.map(\.record))
    }
}

extension PostgresTenantStore: IndexListing {
    package func buildIndexes(in database: DatabaseNumber?, _ chunk: IndexChunk) async throws -> Bool {
        try await perform { session throws(StorageError) in try session.workOnIndexes(in: database, chunk) }
    }

    package func changeIndexes(
        of database: DatabaseNumber, where isDue: (@Sendable (IndexRow) -> Bool)?,
        _ change: @escaping @Sendable (inout IndexList) -> Void
    ) async throws {
        try await perform { session throws(StorageError) in
            if let isDue {
                guard try session.indexes(of: database).contains(where: isDue) else { return }
            }
            var list = try session.indexList(of: database)
            change(&list)
            try session.store(list)
        }
    }
}
