package import NephosStorage

extension PostgresEngine: CopyStore {
    /// Servers may be anywhere, and come at any time: each that runs has a job leased, by which it is known.
    package func reserved() throws(StorageError) -> (any StoreReservation)? {
        let absence = NoServersReservation(pool: pool)
        return try absence.holds() ? absence : nil
    }

    package func tables(of tenant: Tenant?) throws(StorageError) -> any CopyTables {
        guard let tenant else { return PostgresCopyTables(.none, pool) }
        guard let number = try list.number(of: tenant) else { throw .noSuchTenant }
        return PostgresCopyTables(number, pool)
    }

    package func tables(filling tenant: Tenant?, number: Int64) throws(StorageError) -> any CopyTables {
        PostgresCopyTables(tenant == nil ? .none : TenantNumber(value: number), pool)
    }

    package func copiedFrom() throws(StorageError) -> Int64 { try list.copiedFrom() }

    package func beginCopy(of source: Int64, _ tenants: [Tenant]) throws(StorageError) -> Bool {
        try pool.transaction { transaction throws(StorageError) in
            var meta = try TenantList.lock(transaction)
            guard meta.lastTenant == 0, meta.digest == 0 else { return false }
            meta.lastTenant = Int64(tenants.count)
            guard meta.lastTenant <= TenantNumber.max else { throw .failed("all numbers of tenants are used up") }
            TenantList.update(meta, transaction)
            transaction.later(Self.beginning, source)
            return true
        }
    }

    package func setDirectoryDigest(_ digest: Int64) throws(StorageError) {
        try pool.transaction { transaction throws(StorageError) in
            var meta = try TenantList.lock(transaction)
            try PostgresCopyTables.expectUnderWay(transaction)
            meta.digest = digest
            TenantList.update(meta, transaction)
        }
    }

    package func endCopy() throws(StorageError) {
        try pool.transaction { transaction in transaction.later(Self.beginning, Int64(0)) }
    }

    private static let beginning = Statement("UPDATE meta SET copied_from = $1 WHERE id = 1")
}

private struct NoServersReservation: StoreReservation {
    let pool: ConnectionPool

    func holds() throws(StorageError) -> Bool { try pool.run(Self.server).count == 0 }

    private static let server = Statement(
        """
        SELECT 1::bigint FROM jobs WHERE leased_to > (extract(epoch FROM clock_timestamp()) * 1000)::bigint LIMIT 1
        """)
}

extension ConnectionPool {
    /// ``withTransaction(_:)`` for what throws errors of the engine alone.
    func transaction<Answer>(
        _ body: (Transaction) throws(StorageError) -> Answer
    ) throws(StorageError) -> Answer {
        do { return try withTransaction { transaction in try body(transaction) } } catch let error as StorageError {
            throw error
        } catch {
            throw .failed("\(error)")
        }
    }
}
