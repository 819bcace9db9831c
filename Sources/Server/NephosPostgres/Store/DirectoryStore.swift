import NephosStorage

/// The tables `accounts` and `containers`, and the list of tenants. Every writer locks the row of `meta`, which keeps
/// the digest of both tables and gives out the numbers of tenants.
struct DirectoryStore: Sendable {
    private let pool: ConnectionPool

    init(_ pool: ConnectionPool) { self.pool = pool }

    // MARK: Tenants

    func number(of tenant: Tenant) throws(StorageError) -> TenantNumber? {
        let rows = try read(Self.tenantNumber) {
            $0.add(tenant.container)
            $0.add(tenant.environment.rawValue)
        }
        return rows.first.map { TenantNumber(value: $0.int(0)) }
    }

    func catalogVersions(of tenants: [Tenant]) throws(StorageError) -> [Tenant: Int64] {
        let rows = try read(Self.versions) {
            $0.add(texts: tenants.map(\.container))
            $0.add(texts: tenants.map(\.environment.rawValue))
        }
        var versions: [Tenant: Int64] = [:]
        try rows.forEach { row throws(StorageError) in versions[tenants[Int(row.int(0)) - 1]] = row.int(1) }
        return versions
    }

    private static let versions = Statement(
        """
        SELECT key.place, c.version FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS key (container, environment, place)
        CROSS JOIN LATERAL (
            SELECT version FROM catalog
            WHERE container = key.container AND environment = key.environment AND deleted_at = 0 LIMIT 1
        ) AS c
        """)

    // MARK: Containers

    /// Reads one row.
    func probe() throws(StorageError) {
        guard try read(Self.oneRow).count == 1 else { throw .corrupt("meta: the row is missing") }
    }

    func containers() throws(StorageError) -> [ContainerRow] {
        try read(Self.allContainers).map { row throws(StorageError) in
            ContainerRow(id: row.string(0), createdAt: row.int(1))
        }
    }

    /// - Throws: ``StorageError/exists``.
    func create(_ row: ContainerRow, _ seeds: [TenantSeed], _ keys: SecretKeys) throws(StorageError) {
        try write { transaction, meta throws(StorageError) in
            guard try transaction.run(Self.container, { $0.add(row.id) }).count == 0 else { throw .exists }
            transaction.later(Self.containerInsertion) {
                $0.add(row.id)
                $0.add(row.createdAt)
                $0.add(row.checksum)
            }
            meta.digest &+= row.checksum
            let key = try keys.key(named: meta.secrets.current)
            for seed in seeds {
                guard meta.lastTenant < TenantNumber.max else { throw .failed("all numbers of tenants are used up") }
                meta.lastTenant += 1
                try TenantSeeding(TenantNumber(value: meta.lastTenant), transaction).run(seed.sealed(under: key))
            }
        }
    }

    /// Marks a container's tenants as deleted, for every process at its next transaction, and takes it from the list.
    ///
    /// - Throws: ``StorageError/noSuchTenant``.
    func delete(_ id: String, at time: Milliseconds) throws(StorageError) {
        try write { transaction, meta throws(StorageError) in
            guard let row = try transaction.run(Self.container, { $0.add(id) }).first else { throw .noSuchTenant }
            meta.digest &-= ContainerRow(id: row.string(0), createdAt: row.int(1)).checksum
            transaction.later(Self.containerRemoval) { $0.add(id) }
            let heads = try transaction.run(Self.catalogsForUpdate) { $0.add(id) }
            try heads.forEach { row throws(StorageError) in
                let number = TenantNumber(value: row.int(CatalogReader.headColumnCount))
                let head = try CatalogReader(tenant: number).read(row)
                CatalogWriter(tenant: number, transaction: transaction).markDeleted(head, at: time)
            }
        }
    }

    // MARK: Secrets

    func secretNames() throws(StorageError) -> SecretNames { try secretRow().names }

    /// Names a key in a database that nothing was stored in yet.
    ///
    /// - Returns: What it names then.
    func nameFirst(_ key: SecretKey?) throws(StorageError) -> SecretNames {
        let found = try secretRow()
        guard found.isNew, found.names.key == 0 else { return found.names }
        guard let key else { throw .noKey(neededKey) }
        return try change(SecretNames(), to: SecretNames(key: key.id))
    }

    private func secretRow() throws(StorageError) -> (names: SecretNames, isNew: Bool) {
        guard let row = try read(Self.secrets).first else { throw .corrupt("meta: the row is missing") }
        return (SecretNames(key: row.int(0), next: row.int(1)), row.bool(2))
    }

    /// - Parameter old: As they were read; if somebody has changed them since, nothing happens.
    /// - Returns: What the database names from now on.
    func change(_ old: SecretNames, to new: SecretNames) throws(StorageError) -> SecretNames {
        var names = new
        try write { _, meta throws(StorageError) in
            if meta.secrets == old { meta.secrets = new }
            names = meta.secrets
        }
        return names
    }

    // MARK: Accounts

    /// - Throws: ``StorageError/exists``.
    func create(_ row: AccountRow) throws(StorageError) {
        try write { transaction, meta throws(StorageError) in
            let taken = try transaction.run(Self.accountOfEither) {
                $0.add(row.email)
                $0.add(row.id)
            }
            guard taken.count == 0 else { throw .exists }
            transaction.later(Self.accountInsertion) {
                for text in [row.id, row.email, row.givenName, row.familyName] { $0.add(text) }
                $0.add(row.createdAt)
                $0.add(row.checksum)
            }
            meta.digest &+= row.checksum
        }
    }

    func account(email: String) throws(StorageError) -> AccountRow? {
        try read(Self.accountByEmail) { $0.add(email) }.first.map(Self.account)
    }

    func account(id: String) throws(StorageError) -> AccountRow? {
        try read(Self.accountByID) { $0.add(id) }.first.map(Self.account)
    }

    /// - Parameter email: The last of the page before; empty for the first.
    func accounts(after email: String, limit: Int) throws(StorageError) -> [AccountRow] {
        try read(Self.accountPage) {
            $0.add(email)
            $0.add(Int64(limit))
        }.map { row throws(StorageError) in Self.account(row) }
    }

    static func account(_ row: Row) -> AccountRow {
        AccountRow(
            id: row.string(0), email: row.string(1), givenName: row.string(2), familyName: row.string(3),
            createdAt: row.int(4))
    }

    // MARK: Transactions

    private struct Meta {
        var digest: Int64
        var lastTenant: Int64
        var secrets: SecretNames
    }

    private func read(
        _ statement: Statement, _ fill: (inout Values) -> Void = { _ in }
    ) throws(StorageError) -> Rows {
        let call = Call(statement, fill)
        return try pool.withConnectionRetrying { connection throws(StorageError) in
            guard let rows = try connection.run([call]).first else { throw .failed("a statement has no answer") }
            return rows
        }
    }

    /// Runs `body` with the row of `meta` locked, and commits. Lost before that, it is run once more.
    private func write(
        _ body: (Transaction, inout Meta) throws(StorageError) -> Void
    ) throws(StorageError) {
        var isCommitSent = false
        func attempt(_ connection: Connection) throws(StorageError) {
            let transaction = Transaction(connection, .begin)
            defer {
                isCommitSent = transaction.isCommitSent
                transaction.rollback()
            }
            guard let row = try transaction.run(Self.metaForUpdate).first else {
                throw .corrupt("meta: the row is missing")
            }
            var meta = Meta(
                digest: row.int(0), lastTenant: row.int(1), secrets: SecretNames(key: row.int(2), next: row.int(3)))
            try body(transaction, &meta)
            transaction.later(Self.metaChange) {
                $0.add(meta.digest)
                $0.add(meta.lastTenant)
                $0.add(meta.secrets.key)
                $0.add(meta.secrets.next)
            }
            try transaction.commit()
        }
        do throws(StorageError) {
            try pool.withConnection(attempt)
        } catch {
            guard case .unavailable = error, !isCommitSent else { throw error }
            pool.forgetIdle()
            try pool.withConnection(attempt)
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
    private static let metaChange = Statement(
        "UPDATE meta SET digest = $1, last_tenant = $2, secret_key = $3, secret_next = $4 WHERE id = 1")
    private static let allContainers = Statement("SELECT id, created_at FROM containers ORDER BY id COLLATE \"C\"")
    private static let container = Statement("SELECT id, created_at FROM containers WHERE id = $1")
    private static let containerInsertion = Statement(
        "INSERT INTO containers (id, created_at, checksum) VALUES ($1, $2, $3)")
    private static let containerRemoval = Statement("DELETE FROM containers WHERE id = $1")
    private static let accountColumns = "SELECT id, email, given_name, family_name, created_at FROM accounts"
    private static let accountByEmail = Statement("\(accountColumns) WHERE email = $1")
    private static let accountByID = Statement("\(accountColumns) WHERE id = $1")
    private static let accountPage = Statement("\(accountColumns) WHERE email > $1 ORDER BY email LIMIT $2")
    private static let accountOfEither = Statement(
        "SELECT 1::bigint FROM accounts WHERE email = $1 UNION ALL SELECT 1::bigint FROM accounts WHERE id = $2")
    private static let accountInsertion = Statement(
        """
        INSERT INTO accounts (id, email, given_name, family_name, created_at, checksum)
        VALUES ($1, $2, $3, $4, $5, $6)
        """)
}

private let neededKey = """
    a new store needs a key under which its secrets are sealed: make a file with nephos secret new > FILE, keep it apart from \
    the database, and give it to every server and command by NEPHOS_SECRET_KEY_FILE (docs/running.md)
    """
