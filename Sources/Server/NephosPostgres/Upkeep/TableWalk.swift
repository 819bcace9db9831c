import NephosQueries
import NephosStorage

/// Walks whole tables for a check, in one snapshot. What cannot be read is a finding, never the end of the walk.
struct TableWalk: EntryWalk {
    let transaction: Transaction
    let tenant: TenantNumber
    var report: WalkReport

    /// - Parameter progress: Called with the number of rows looked at and how many there are in all.
    init(
        _ connection: Connection, _ tenant: TenantNumber, progress: @escaping (Int, Int) -> Void = { _, _ in }
    ) {
        transaction = Transaction(connection, .beginReading)
        self.tenant = tenant
        report = WalkReport(progress: progress)
        transaction.later(Self.settings) { _ in }
    }

    /// Counts the rows of tables that will be walked.
    mutating func count(_ tables: TenantTables) throws(StorageError) {
        var count = 0
        for (table, statement) in tables.counts {
            let owners = table.owners(tenant)
            try keepingOn(table.name) { walk throws(StorageError) in
                let rows = try walk.transaction.run(statement) {
                    $0.add(owners.lowerBound)
                    $0.add(owners.upperBound)
                }
                count += Int(rows.first?.int(0) ?? 0)
            }
        }
        report.begin(rows: count)
    }

    mutating func show(
        _ table: AuditedTable, of database: DatabaseNumber?, isCounted: Bool,
        _ judge: (Row, inout Findings) throws(StorageError) -> Void
    ) throws(StorageError) { try each(PagedTable.of(table), of: database, isCounted: isCounted, judge) }

    /// Shows every row of a table to `judge`.
    ///
    /// - Parameters:
    ///   - database: Only rows of this one; nil for all.
    ///   - isCounted: These are rows of ``count(_:)``.
    mutating func each(
        _ table: PagedTable, of database: DatabaseNumber? = nil, isCounted: Bool = true,
        _ judge: (Row, inout Findings) throws(StorageError) -> Void
    ) throws(StorageError) {
        let stored = try database.map(tenant.stored)
        let owners = stored.map { $0..<$0 + 1 } ?? table.table.owners(tenant)
        try keepingOn(table.table.name) { walk throws(StorageError) in
            var page = try walk.run(table.firstPage(of: owners))
            while page.count > 0 {
                for index in 0..<page.count {
                    let row = page[index]
                    try walk.report.look(
                        at: table.table.name, table.table.label(row), isCounted: isCounted
                    ) { findings throws(StorageError) in try judge(row, &findings) }
                }
                page = try walk.run(table.nextPage(of: owners, after: page[page.count - 1]))
            }
        }
    }

    func areThere(_ entries: [StoredEntry], in database: DatabaseNumber) throws(StorageError) -> [Bool] {
        let stored = try tenant.stored(database)
        let call = Call(Self.presence) {
            $0.add(stored)
            $0.add(entries)
        }
        let found = try transaction.goingOn { () throws(StorageError) in try run(call) }
        guard found.count == entries.count else { throw .failed("a look-up of entries has no answer") }
        return try found.map { $0.bool(0) }
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

    /// Goes on behind `body` when PostgreSQL cannot read a table.
    mutating func keepingOn(
        _ table: String, _ body: (inout TableWalk) throws(StorageError) -> Void
    ) throws(StorageError) {
        do throws(StorageError) {
            try transaction.goingOn { () throws(StorageError) in try body(&self) }
        } catch {
            guard case .corrupt(let what) = error else { throw error }
            findings.add(table, "cannot be read to its end: \(what)")
        }
    }

    /// It locks nothing, and counting a large table takes long. A page must not be sorted together from all that is behind
    /// it: the planner would do so by an index that begins like the key.
    private static let settings = Statement(
        """
        SELECT set_config('statement_timeout', '0', true), set_config('enable_sort', 'off', true),
            set_config('enable_incremental_sort', 'off', true)
        """)
}

extension Transaction {
    /// Runs what may find that something cannot be read. The transaction goes on all the same.
    fileprivate func goingOn<Answer>(_ body: () throws(StorageError) -> Answer) throws(StorageError) -> Answer {
        later(Self.mark) { _ in }
        defer { later(Self.unmark) { _ in } }
        do throws(StorageError) { return try body() } catch {
            if case .corrupt = error { later(Self.backToMark) { _ in } }
            throw error
        }
    }

    private static let mark = Statement("SAVEPOINT walk")
    private static let backToMark = Statement("ROLLBACK TO SAVEPOINT walk")
    private static let unmark = Statement("RELEASE SAVEPOINT walk")
}
