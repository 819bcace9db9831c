package import NephosStorage

/// Removes the rows of tenants whose containers were deleted, a bounded number in one transaction. If a process dies half
/// way, the next one continues; two processes may do this at the same time.
///
/// Heads are removed first. A writer to a tenant locks a head and then checks whether the tenant is deleted; so after the
/// heads are removed nothing is written any more, and the removal of the rest is complete. The row of the catalog is removed
/// last, in a transaction that finds no other rows, and not while there is a head: until then it shows that rows are left.
/// Deliveries and the push log are written without the lock of a head, so they are checked once more, too.
struct DeletedTenants {
    private let pool: ConnectionPool
    private let tables: TableSet

    init(_ pool: ConnectionPool, _ tables: TableSet) {
        self.pool = pool
        self.tables = tables
    }

    /// - Returns: Whether there is more to remove.
    func sweep(rows: Int) throws(StorageError) -> Bool {
        try pool.withConnectionRetrying { connection throws(StorageError) in
            let transaction = Transaction(connection, .begin)
            defer { transaction.rollback() }
            guard let row = try transaction.run(Self.next).first else { return false }
            let tenant = TenantNumber(value: row.int(0))
            if try removeRows(of: tenant, limit: max(rows, 1), transaction) == 0 {
                // The remaining row was written by a transaction that was faster, and is removed the next time.
                guard try removeLastRow(of: tenant, transaction) else { return true }
            }
            try transaction.commit()
            return true
        }
    }

    /// - Returns: The number of rows that were removed.
    private func removeRows(
        of tenant: TenantNumber, limit: Int, _ transaction: Transaction
    ) throws(StorageError) -> Int {
        var left = limit
        for table in tables.stored where left > 0 {
            let removals = try removals(from: table, of: tenant, limit: Int64(left), transaction)
            for answer in try transaction.run(removals) { left -= answer.touched }
        }
        return limit - left
    }

    /// Finds the owners of the rows of a table, without a lock, to remove the rows owner by owner.
    private func removals(
        from table: StoredTable, of tenant: TenantNumber, limit: Int64, _ transaction: Transaction
    ) throws(StorageError) -> [Call] {
        guard table.owner == .database else { return [table.removal(of: tenant.value, rows: limit)] }
        let owners = Statement.kept(
            """
            SELECT db, count(*) FROM (
                SELECT db FROM \(table.name) WHERE db >= $1 AND db < $2 ORDER BY db LIMIT $3
            ) AS found GROUP BY db ORDER BY db
            """)
        return try transaction.run(owners, tenant.range.lowerBound, tenant.range.upperBound, limit).map {
            table.removal(of: $0.int(0), rows: $0.int(1))
        }
    }

    /// Removes the row of the catalog, and then searches for rows that were written meanwhile: of two concurrent processes
    /// the later one sees what the earlier one did. - Returns: Whether there were none.
    private func removeLastRow(
        of tenant: TenantNumber, _ transaction: Transaction
    ) throws(StorageError) -> Bool {
        let lastRow = Call(Self.lastRow, tenant.value)
        let leftovers = Self.leftovers.map { statement in
            Call(statement, tenant.range.lowerBound, tenant.range.upperBound)
        }
        return try transaction.run([lastRow] + leftovers).dropFirst().allSatisfy { $0.count == 0 }
    }

    private static let next = Statement(
        "SELECT tenant FROM catalog WHERE deleted_at <> 0 AND tenant > 0 ORDER BY tenant LIMIT 1")
    private static let lastRow = Statement("DELETE FROM catalog WHERE tenant = $1 AND deleted_at <> 0")
    private static let leftovers = ["heads", "deliveries", "push_log"].map {
        Statement("SELECT 1::bigint FROM \($0) WHERE db >= $1 AND db < $2 LIMIT 1")
    }
}

extension StoredTable {
    /// - Parameter owner: A database, or the tenant itself.
    fileprivate func removal(of owner: Int64, rows: Int64) -> Call {
        let (column, keys) = (self.owner.column ?? "", key.map(\.name))
        let list = keys.joined(separator: ", ")
        let removal = Statement.kept(
            """
            DELETE FROM \(name) AS t USING (
                SELECT \(list) FROM \(name) WHERE \(column) = $1 ORDER BY \(list) LIMIT $2
            ) AS old
            WHERE t.\(column) = $1 AND \(keys.map { "t.\($0) = old.\($0)" }.joined(separator: " AND "))
            """)
        return Call(removal, owner, rows)
    }
}

extension PostgresEngine {
    package func sweepDeletedContainers(rows: Int) throws(StorageError) -> Bool {
        try DeletedTenants(pool, tables).sweep(rows: rows)
    }
}
