import NephosStorage

/// Writes the first rows of a new tenant: its catalog, and its lanes with their default zones.
struct TenantSeeding {
    private let tenant: TenantNumber
    private let transaction: Transaction

    init(_ tenant: TenantNumber, _ transaction: Transaction) {
        self.tenant = tenant
        self.transaction = transaction
    }

    func run(_ seed: TenantSeed) throws(StorageError) {
        let head = try seed.firstHead()
        try TableWriter(tenant: tenant, transaction: transaction, tables: .server).apply(
            try seed.rows.map { row throws(StorageError) in try RowChange(CatalogWrite(new: row)) })
        CatalogWriter(tenant: tenant, transaction: transaction).insert(head)
        for (database, zone) in seed.lanes {
            try HeadWriter(tenant: tenant, transaction: transaction).insert(database)
            try ZoneWriter(tenant: tenant, transaction: transaction).insert(zone)
        }
    }
}
