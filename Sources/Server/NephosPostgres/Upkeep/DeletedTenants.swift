package import NephosStorage

/// Removes the rows of tenants whose containers were deleted, a bounded number in one transaction. Who dies half way
/// leaves them to the next; two who do it at once do no harm.
///
/// Heads go first. Whoever writes to a tenant holds the lock of a head and then looks whether the tenant is deleted; so
/// once the heads are gone nobody writes any more, and what follows is complete. The row of the catalog goes last, and not
/// while there is a head, which a writer had when the others went: until then everybody knows that something is left.
/// Deliveries and the push log are written under no head's lock, so they are looked at once more too.
struct DeletedTenants {
    private let pool: ConnectionPool
    private let tables: TenantTables

    init(_ pool: ConnectionPool, _ tables: TenantTables) {
        self.pool = pool
        self.tables = tables
    }

    /// - Returns: Whether there is more to remove.
    func sweep(rows: Int) throws(StorageError) -> Bool {
        try pool.withConnectionRetrying { connection throws(StorageError) in
            let transaction = Transaction(connection, .begin)
            defer { transaction.rollback() }
            let hasMore = try sweep(rows: rows, transaction)
            try transaction.commit()
            return hasMore
        }
    }

    private func sweep(rows: Int, _ transaction: Transaction) throws(StorageError) -> Bool {
        guard let row = try transaction.run(Self.next).first else { return false }
        let tenant = TenantNumber(value: row.int(0))
        var left = Int64(max(rows, 1))
        for (table, removal) in tables.removals {
            let owners = table.owners(tenant)
            left -= Int64(
                try transaction.run(removal) {
                    $0.add(owners.lowerBound)
                    $0.add(owners.upperBound)
                    $0.add(left)
                }.touched)
            if left <= 0 { return true }
        }
        transaction.later(Self.lastRow) {
            $0.add(tenant.value)
            $0.add(tenant.range.lowerBound)
            $0.add(tenant.range.upperBound)
        }
        return true
    }

    private static let next = Statement(
        "SELECT tenant FROM catalog WHERE deleted_at <> 0 AND tenant > 0 ORDER BY tenant LIMIT 1")
    private static let lastRow = Statement(
        """
        DELETE FROM catalog WHERE tenant = $1 AND deleted_at <> 0
            AND NOT EXISTS (SELECT 1 FROM heads WHERE db >= $2 AND db < $3)
            AND NOT EXISTS (SELECT 1 FROM deliveries WHERE db >= $2 AND db < $3)
            AND NOT EXISTS (SELECT 1 FROM push_log WHERE db >= $2 AND db < $3)
        """)
}

extension PostgresEngine {
    package func sweepDeletedContainers(rows: Int) throws(StorageError) -> Bool {
        try DeletedTenants(pool, tables).sweep(rows: rows)
    }
}
