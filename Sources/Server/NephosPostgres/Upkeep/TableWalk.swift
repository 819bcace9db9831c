import NephosQueries
import NephosStorage

/// Iterates over whole tables for a check.
struct TableWalk: EntryWalk {
    let transaction: Transaction
    let tenant: TenantNumber
    var report: WalkReport

    /// - Parameter progress: Called with the number of rows examined and the total number of rows.
    init(
        _ connection: Connection, _ tenant: TenantNumber, progress: @escaping (Int, Int) -> Void = { _, _ in }
    ) {
        transaction = Transaction(connection, .beginReading)
        self.tenant = tenant
        report = WalkReport(progress: progress)
        transaction.later(Self.settings)
    }

    func count(_ table: StoredTable) throws(StorageError) -> Int64 {
        guard let owner = table.owner.column else { return 0 }
        let count = Statement.kept("SELECT count(*) FROM \(table.name) WHERE \(owner) >= $1 AND \(owner) < $2")
        let owners = tenant.owners(of: table)
        return try transaction.run(count, owners.lowerBound, owners.upperBound).first?.int(0) ?? 0
    }

    func steps() throws(StorageError) -> Set<String> {
        Set(try transaction.run(Migrations.done).map { row throws(StorageError) in row.string(0) })
    }

    func rows(
        of table: AuditedTable, in database: DatabaseNumber?, after key: [ColumnValue]?,
        _ body: (Row) throws(StorageError) -> Void
    ) throws(StorageError) {
        let stored = try database.map(tenant.stored)
        let pages = TablePages(table, of: stored.map { $0..<$0 + 1 } ?? tenant.owners(of: table.table))
        var page = try run(
            try key.map { key throws(StorageError) in try pages.next(after: key, tenant) } ?? pages.first)
        while page.count > 0 {
            try page.forEach(body)
            page = try run(pages.next(after: page[page.count - 1]))
        }
    }

    func areThere(_ entries: [StoredEntry], in database: DatabaseNumber) throws(StorageError) -> [Bool] {
        let stored = try tenant.stored(database)
        let call = Call(Self.presence, stored, EntryColumns(entries: entries))
        put(.set)
        defer { put(.release) }
        do throws(StorageError) {
            let found = try run(call)
            guard found.count == entries.count else { throw StorageError.failed("a look-up of entries has no answer") }
            return try found.map { $0.bool(0) }
        } catch {
            if case .corrupt = error { put(.back) }
            throw error
        }
    }

    private static let presence = Statement(
        """
        SELECT (
            SELECT true FROM index_rows AS e
            WHERE e.db = $1 AND e.zone_no = w.zone_no AND e.index_no = w.index_no AND e.key = w.key
                AND e.record_no = w.record_no
        )
        FROM unnest($2::bigint[], $3::bigint[], $4::bytea[], $5::bigint[]) WITH ORDINALITY
            AS w (zone_no, index_no, key, record_no, place)
        ORDER BY w.place
        """)

    private func run(_ call: Call) throws(StorageError) -> Rows {
        guard let rows = try transaction.run([call]).first else { throw .failed("a statement has no answer") }
        return rows
    }

    func put(_ mark: WalkMark) { transaction.later(.kept(mark.rawValue)) }

    /// A check locks nothing, and counting a large table takes long. A page must not be produced by sorting all rows after
    /// it, as the planner would do with an index that begins like the key.
    private static let settings = Statement(
        """
        SELECT set_config('statement_timeout', '0', true), set_config('enable_sort', 'off', true),
            set_config('enable_incremental_sort', 'off', true)
        """)
}

extension TenantNumber {
    /// The values that mark a row of a table as the tenant's (``Table/Owner/column``).
    func owners(of table: StoredTable) -> Range<Int64> {
        table.owner == .database ? range : value..<value + 1
    }
}
