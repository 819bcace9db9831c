import NephosStorage

extension StoredTable {
    /// The column that says whose a row is, and what it may be for a tenant. None in the directory.
    var ownerColumn: String? {
        switch owner {
        case .database: "db"
        case .tenant: "tenant"
        case .directory: nil
        }
    }

    func owners(_ tenant: TenantNumber) -> Range<Int64> {
        owner == .database ? tenant.range : tenant.value..<tenant.value + 1
    }
}

/// All that belongs to a tenant, with the statements that go through it. Made once for each engine.
final class TenantTables: Sendable {
    let described: TableSet
    /// Counts the rows of owners.
    let counts: [(table: StoredTable, statement: Statement)]
    /// Removes so many rows of owners.
    let removals: [(table: StoredTable, statement: Statement)]

    init(_ described: TableSet) {
        self.described = described
        let all = described.stored
        counts = all.map { table in
            let owner = table.ownerColumn ?? ""
            return (table, Statement("SELECT count(*) FROM \(table.name) WHERE \(owner) >= $1 AND \(owner) < $2"))
        }
        removals = all.map { ($0, Self.removal(from: $0)) }
    }

    /// Rows by their place: a join might begin at the wrong side, and read everybody's.
    private static func removal(from table: StoredTable) -> Statement {
        let owner = table.ownerColumn ?? ""
        return Statement(
            """
            DELETE FROM \(table.name) WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM \(table.name) WHERE \(owner) >= $1 AND \(owner) < $2 ORDER BY \(owner) LIMIT $3
            ))
            """)
    }
}
