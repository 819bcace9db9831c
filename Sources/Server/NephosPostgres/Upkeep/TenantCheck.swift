import CloudKitWire
import NephosQueries
package import NephosStorage

/// Compares everything stored for a tenant with its checksums, counters and digest, in one snapshot.
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
        let steps = try walk.transaction.run(Migrations.done).map { row throws(StorageError) in row.string(0) }
        var check = DatabaseCheck(knowsTables: tables.described.knowsTables(of: steps))
        try check.run(&walk, tables.described, catalog, checkIndexes: IndexAudit.check)
        return walk.findings.list
    }

    // MARK: Catalog

    private mutating func checkCatalogRow(_ tenant: Tenant) throws(StorageError) -> CatalogHead? {
        var found: CatalogHead?
        try walk.keepingOn("catalog") { walk throws(StorageError) in
            let rows = try walk.transaction.run(Self.catalogRow) { $0.add(walk.tenant.value) }
            walk.findings.expect(rows.count == 1, "catalog", "has \(rows.count) rows, not 1")
            guard let row = rows.first else { return }
            do throws(StorageError) { found = try CatalogHead(row) } catch {
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
