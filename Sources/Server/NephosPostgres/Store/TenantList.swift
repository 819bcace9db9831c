import NephosStorage

/// The list of tenants, and the row of `meta`, which contains the digest of the directory's tables and the last number of a
/// tenant, and names the key of secrets.
struct TenantList: Sendable {
    private let pool: ConnectionPool

    init(_ pool: ConnectionPool) { self.pool = pool }

    // MARK: Tenants

    func number(of tenant: Tenant) throws(StorageError) -> TenantNumber? {
        let rows = try pool.run(Self.tenantNumber, tenant.container, tenant.environment.rawValue)
        return rows.first.map { TenantNumber(value: $0.int(0)) }
    }

    /// Reads one row.
    func probe() throws(StorageError) {
        guard try pool.run(Self.oneRow).count == 1 else { throw .corrupt("meta: the row is missing") }
    }

    // MARK: Secrets

    func secretNames() throws(StorageError) -> SecretNames { try secretRow().names }

    /// Names a key in a database in which nothing was stored yet.
    ///
    /// - Returns: The names after that.
    func nameFirst(_ key: SecretKey?) throws(StorageError) -> SecretNames {
        let found = try secretRow()
        guard found.isNew, found.names.key == 0 else { return found.names }
        guard let key else { throw .noKey(neededKey) }
        return try change(SecretNames(), to: SecretNames(key: key.id))
    }

    private func secretRow() throws(StorageError) -> (names: SecretNames, isNew: Bool) {
        guard let row = try pool.run(Self.secrets).first else { throw .corrupt("meta: the row is missing") }
        return (SecretNames(key: row.int(0), next: row.int(1)), row.bool(2))
    }

    /// - Parameter old: As it was read; if it has been changed since, nothing happens.
    /// - Returns: The names after that.
    func change(_ old: SecretNames, to new: SecretNames) throws(StorageError) -> SecretNames {
        try pool.transaction { transaction throws(StorageError) in
            var meta = try Self.lock(transaction)
            guard meta.secrets == old else { return meta.secrets }
            meta.secrets = new
            Self.update(meta, transaction)
            return new
        }
    }

    // MARK: Copies

    /// What the database is the unfinished copy of; 0 for none.
    func copiedFrom() throws(StorageError) -> Int64 {
        guard let row = try pool.run(Self.copySource).first else { throw .corrupt("meta: the row is missing") }
        return row.int(0)
    }

    // MARK: Transactions

    struct Meta {
        var digest: Int64
        var lastTenant: Int64
        var secrets: SecretNames
    }

    /// Locks the row until the transaction ends.
    static func lock(_ transaction: Transaction) throws(StorageError) -> Meta {
        guard let row = try transaction.run(metaForUpdate).first else { throw .corrupt("meta: the row is missing") }
        return Meta(digest: row.int(0), lastTenant: row.int(1), secrets: SecretNames(key: row.int(2), next: row.int(3)))
    }

    /// The names of the store, which cannot change before the transaction ends.
    static func secrets(_ transaction: Transaction) throws(StorageError) -> SecretNames {
        guard let row = try transaction.run(secretsForShare).first else { throw .corrupt("meta: the row is missing") }
        return SecretNames(key: row.int(0), next: row.int(1))
    }

    static func update(_ meta: Meta, _ transaction: Transaction) {
        transaction.later(metaChange, meta.digest, meta.lastTenant, meta.secrets.key, meta.secrets.next)
    }

    /// Marks a container's tenants as deleted, for every process at its next transaction.
    static func markDeleted(_ container: String, at time: Milliseconds, _ transaction: Transaction) throws(StorageError)
    {
        let heads = try transaction.run(catalogsForUpdate, container)
        try heads.forEach { row throws(StorageError) in
            let number = TenantNumber(value: row.int(CatalogReader.headColumnCount))
            let head = try CatalogHead(row)
            CatalogWriter(tenant: number, transaction: transaction).markDeleted(head, at: time)
        }
    }

    // MARK: Statements

    private static let tenantNumber = Statement(
        "SELECT tenant FROM catalog WHERE container = $1 AND environment = $2 AND deleted_at = 0")
    private static let catalogsForUpdate = Statement(
        """
        SELECT \(CatalogReader.headColumns), tenant FROM catalog
        WHERE container = $1 AND deleted_at = 0 ORDER BY environment FOR UPDATE
        """)
    private static let metaForUpdate = Statement(
        "SELECT digest, last_tenant, secret_key, secret_next FROM meta WHERE id = 1 FOR UPDATE")
    private static let oneRow = Statement("SELECT digest FROM meta WHERE id = 1")
    private static let secrets = Statement(
        """
        SELECT secret_key, secret_next, last_tenant = 0 AND NOT EXISTS (SELECT 1 FROM accounts) FROM meta WHERE id = 1
        """)
    private static let copySource = Statement("SELECT copied_from FROM meta WHERE id = 1")
    private static let secretsForShare = Statement("SELECT secret_key, secret_next FROM meta WHERE id = 1 FOR SHARE")
    private static let metaChange = Statement(
        "UPDATE meta SET digest = $1, last_tenant = $2, secret_key = $3, secret_next = $4 WHERE id = 1")
}

private let neededKey = """
    A new store needs a key that seals its secrets: create a file with nephos secret new > FILE, keep it apart from \
    the database, and name it to every server and command with NEPHOS_SECRET_KEY_FILE (docs/running.md).
    """
