import NephosStorage

/// The tables of one tenant, or of the directory, for a copy of the store.
final class PostgresCopyTables: CopyTables {
    private let tenant: TenantNumber
    private let pool: ConnectionPool

    init(_ tenant: TenantNumber, _ pool: ConnectionPool) {
        self.tenant = tenant
        self.pool = pool
    }

    func steps() throws(StorageError) -> Set<String> {
        Set(try pool.run(Migrations.done).map { row throws(StorageError) in row.string(0) })
    }

    func rows(
        of table: CopiedTable, after key: [ColumnValue]?, _ body: (any AnswerRow) throws(StorageError) -> Void
    ) throws(StorageError) {
        try pool.withConnection { connection throws(StorageError) in
            let walk = TableWalk(connection, tenant)
            defer { walk.transaction.rollback() }
            try walk.rows(of: table.audited, in: nil, after: key) { row throws(StorageError) in try body(row) }
        }
    }

    func lastKey(of table: CopiedTable) throws(StorageError) -> [ColumnValue]? {
        let key = table.stored.key
        let columns = key.map(\.name).joined(separator: ", ")
        let order = key.map { "\($0.name) DESC" }.joined(separator: ", ")
        let end = "ORDER BY \(order) LIMIT 1"
        let rows: Rows
        if let owner = table.stored.owner.column {
            let owners = tenant.owners(of: table.stored)
            let sql = "SELECT \(columns) FROM \(table.name) WHERE \(owner) >= $1 AND \(owner) < $2 \(end)"
            rows = try pool.run(.kept(sql), owners.lowerBound, owners.upperBound)
        } else {
            rows = try pool.run(.kept("SELECT \(columns) FROM \(table.name) \(end)"))
        }
        guard let last = rows.first else { return nil }
        var values: [ColumnValue] = []
        for (place, column) in zip(Int32(0)..., key) {
            guard let value = try last.value(place, of: column.kind) else { continue }
            values.append(value)
        }
        return values
    }

    func insert(_ rows: [[ColumnValue?]], into table: CopiedTable) throws(StorageError) -> Int {
        var call = Call(.kept(Self.insertion(table)))
        if table.stored.owner == .tenant { call.values.add(tenant.value) }
        for (place, column) in table.columns.enumerated() {
            var array = MemberArray(of: column.kind)
            for row in rows {
                if let value = row[place] { try array.append(value, tenant) } else { array.appendNull() }
            }
            call.values.add(array)
        }
        return try pool.transaction { transaction throws(StorageError) in
            // Another process may have finished the copy, and people may use it: then nothing of it is touched.
            try Self.expectUnderWay(transaction)
            return try transaction.run([call]).first?.touched ?? 0
        }
    }

    /// - Throws: ``StorageError/failed(_:)`` if no copy is under way any more. None ends before the transaction does.
    static func expectUnderWay(_ transaction: Transaction) throws(StorageError) {
        guard try transaction.run(underWay).count == 1 else {
            throw .failed("the copy was finished by another process: this one stops without further changes")
        }
    }

    private static let underWay = Statement("SELECT 1::bigint FROM meta WHERE id = 1 AND copied_from <> 0 FOR SHARE")

    /// Parameters: for a table of tenants the tenant, and an array for each column.
    private static func insertion(_ table: CopiedTable) -> String {
        let owner = table.stored.owner == .tenant ? ["tenant"] : []
        let arrays = table.columns.enumerated().map { "$\($0 + 1 + owner.count)::\(TableSQL.type($1))[]" }
        let columns = table.columns.map(\.name)
        return """
            INSERT INTO \(table.name) (\((owner + columns).joined(separator: ", ")))
            SELECT \((owner.map { _ in "$1::bigint" } + ["n.*"]).joined(separator: ", "))
            FROM unnest(\(arrays.joined(separator: ", "))) AS n (\(columns.joined(separator: ", ")))
            ON CONFLICT DO NOTHING
            """
    }
}
