import NephosStorage

/// Removes what a table has of a tenant: finds whose rows there are, without a lock, and removes them owner by owner.
struct TableRemoval: Sendable {
    /// How many rows are to go of a database, or of the tenant itself.
    struct Owner {
        let value: Int64
        let rows: Int64
    }

    /// nil for a table whose rows are the tenant's own.
    private let finding: Statement?
    private let removal: Statement

    init(_ table: StoredTable) {
        let owner = table.owner.column ?? ""
        finding =
            table.owner == .database
            ? Statement(
                """
                SELECT db, count(*) FROM (
                    SELECT db FROM \(table.name) WHERE db >= $1 AND db < $2 ORDER BY db LIMIT $3
                ) AS found GROUP BY db ORDER BY db
                """) : nil
        let keys = table.key.map(\.name)
        removal = Statement(
            """
            DELETE FROM \(table.name) AS t USING (
                SELECT \(keys.joined(separator: ", ")) FROM \(table.name) WHERE \(owner) = $1
                ORDER BY \(keys.joined(separator: ", ")) LIMIT $2
            ) AS old
            WHERE t.\(owner) = $1 AND \(keys.map { "t.\($0) = old.\($0)" }.joined(separator: " AND "))
            """)
    }

    func owners(
        _ tenant: TenantNumber, limit: Int, _ transaction: Transaction
    ) throws(StorageError) -> [Owner] {
        guard let finding else { return [Owner(value: tenant.value, rows: Int64(limit))] }
        return try transaction.run(finding) {
            $0.add(tenant.range.lowerBound)
            $0.add(tenant.range.upperBound)
            $0.add(Int64(limit))
        }.map { Owner(value: $0.int(0), rows: $0.int(1)) }
    }

    /// Removes rows of an owner, as many as it says.
    func rows(of owner: Owner) -> Call {
        Call(removal) {
            $0.add(owner.value)
            $0.add(owner.rows)
        }
    }
}
