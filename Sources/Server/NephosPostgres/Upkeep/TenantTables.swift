import NephosStorage

extension StoredTable {
    /// What ``Table/Owner/column`` may be for a tenant.
    func owners(_ tenant: TenantNumber) -> Range<Int64> {
        owner == .database ? tenant.range : tenant.value..<tenant.value + 1
    }
}

/// All that belongs to a tenant, with the statements that go through it. Made once for each engine.
final class TenantTables: Sendable {
    let described: TableSet
    /// Counts the rows of owners.
    let counts: [(table: StoredTable, statement: Statement)]
    let removals: [TableRemoval]

    init(_ described: TableSet) {
        self.described = described
        let all = described.stored
        counts = all.map { table in
            let owner = table.owner.column ?? ""
            return (table, Statement("SELECT count(*) FROM \(table.name) WHERE \(owner) >= $1 AND \(owner) < $2"))
        }
        removals = all.map(TableRemoval.init)
    }
}
