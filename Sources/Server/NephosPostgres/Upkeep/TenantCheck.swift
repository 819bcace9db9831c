import CloudKitWire
package import NephosStorage

/// Compares everything stored for a tenant with its checksums, counters and digest, in one snapshot.
///
/// A changed row is found by its checksum. An added or a removed one by what counts it: the digest for the catalog,
/// the head for what a database holds, the last number given out for heads, and head or key for users.
struct TenantCheck {
    private let tables: TenantTables
    private var walk: TableWalk

    init(
        _ connection: Connection, _ tenant: TenantNumber, _ tables: TenantTables, progress: @escaping (Int, Int) -> Void
    ) {
        self.tables = tables
        walk = TableWalk(connection, tenant, progress: progress)
    }

    mutating func run(of tenant: Tenant) throws(StorageError) -> [CheckFinding] {
        defer { walk.transaction.rollback() }
        try walk.count(tables)
        let catalog = try checkCatalogRow(tenant)
        try checkUsers()
        let steps = try walk.transaction.run(Migrations.done).map { row throws(StorageError) in row.string(0) }
        let knowsTables = tables.described.knowsTables(of: steps)
        var databases = DatabaseCheck(knowsTables: knowsTables)
        try databases.checkZones(&walk)
        try databases.checkRecords(&walk)
        try databases.checkTombstones(&walk)
        try databases.checkReferences(&walk)
        try databases.checkEvents(&walk)
        try databases.checkEventRecords(&walk)
        try databases.checkTrash(&walk)
        try databases.checkDescribed(tables, &walk)
        if knowsTables { walk.findings.judgeCatalogDigest(stored: catalog?.digest, found: databases.digest) }
        try databases.checkAssets(&walk)
        var indexes = IndexCheck()
        try indexes.checkIndexes(&walk)
        try indexes.checkRecords(&walk)
        try indexes.checkEntries(&walk)
        try databases.checkHeads(&walk, catalog)
        return walk.findings.list
    }

    // MARK: Catalog

    private mutating func checkCatalogRow(_ tenant: Tenant) throws(StorageError) -> CatalogHead? {
        var found: CatalogHead?
        try walk.keepingOn("catalog") { walk throws(StorageError) in
            let rows = try walk.transaction.run(Self.catalogRow) { $0.add(walk.tenant.value) }
            walk.findings.expect(rows.count == 1, "catalog", "has \(rows.count) rows, not 1")
            guard let row = rows.first else { return }
            do throws(StorageError) { found = try CatalogReader(tenant: walk.tenant).read(row) } catch {
                guard case .corrupt(let what) = error else { throw error }
                return walk.findings.add("catalog", "row 1: \(what)")
            }
            let checksum = CatalogReader.headColumnCount
            if let found {
                walk.findings.judge(
                    found, of: tenant, checksum: row.int(checksum), highestType: row.int(checksum + 1))
            }
        }
        guard found?.deletedAt ?? 0 == 0 else { throw .noSuchTenant }
        return found
    }

    private static let catalogRow = Statement(
        """
        SELECT \(CatalogReader.headColumns), checksum,
            coalesce((SELECT max(t.type) FROM types AS t WHERE t.tenant = catalog.tenant), 0)
        FROM catalog WHERE tenant = $1
        """)

    // MARK: Users

    private mutating func checkUsers() throws(StorageError) {
        let (next, tenant) = (Int32(UserRow.table.columns.count), walk.tenant)
        try walk.each(Self.users, isCounted: false) { row, findings throws(StorageError) in
            // One that cannot be read is a finding of its table.
            guard let user = try? row.stored(UserRow.self, tenant) else { return }
            findings.judge(
                user, ownsDatabase: row.bool(next), isOfKey: row.bool(next + 1))
        }
        try walk.each(Self.keyUsers, isCounted: false) { row, findings throws(StorageError) in
            if !row.bool(2) { findings.addMissingUser(row.string(1), ofKey: row.string(0)) }
        }
    }

    private static let users = PagedTable(
        .users,
        """
        \(UserRow.table.columns.map(\.name).joined(separator: ", ")),
        (SELECT h.owner = users.id FROM heads AS h
            WHERE h.db = users.tenant * \(TenantNumber.databases) | users.private_db),
        (SELECT k.user_id = users.id FROM server_keys AS k
            WHERE k.tenant = users.tenant AND k.id = users.source_id)
        """)
    private static let keyUsers = PagedTable(
        .keys,
        """
        id, upper(encode(user_id, 'hex')),
        (SELECT u.source = 1 AND u.source_id = server_keys.id FROM users AS u
            WHERE u.tenant = server_keys.tenant AND u.id = server_keys.user_id)
        """)
}

extension TenantNumber {
    /// How many numbers there are for the databases of a tenant.
    static let databases = TenantNumber(value: 1).range.lowerBound
}

extension PostgresTenantStore {
    package func check(progress: (Int, Int) -> Void) throws(StorageError) -> [CheckFinding] {
        try withoutActuallyEscaping(progress) { progress throws(StorageError) in
            try pool.withConnectionRetrying { connection throws(StorageError) in
                var check = TenantCheck(connection, number, tables, progress: progress)
                return try check.run(of: tenant)
            }
        }
    }
}
