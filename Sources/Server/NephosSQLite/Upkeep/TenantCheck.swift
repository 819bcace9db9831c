import CloudKitWire
package import NephosStorage

/// Compares everything a tenant's file holds with its checksums, counters and digest, in one snapshot.
///
/// A changed row is found by its checksum. An added or a removed one by what counts it: the digest for the catalog,
/// the head for what a database holds, the last number given out for heads, and head or key for users.
struct TenantCheck {
    private let connection: Connection
    private let reader: TenantReader
    private let tables: TableSet
    private var walk: TableWalk

    init(_ connection: Connection, _ tables: TableSet, progress: @escaping (Int, Int) -> Void) {
        self.connection = connection
        self.tables = tables
        reader = TenantReader(connection)
        walk = TableWalk(connection, progress: progress)
    }

    mutating func run(of tenant: Tenant) throws(StorageError) -> [CheckFinding] {
        try connection.beginReading()
        defer { connection.rollback() }
        try walk.count(
            [
                "heads", "zones", "records", "tombstones", "refs", "change_events", "event_records", "trash", "assets",
                "asset_refs", "indexes", "index_rows",
            ] + tables.all.map { $0.table.name })
        let catalog = try checkCatalogRow(tenant)
        try checkUsers()
        let knowsTables = tables.knowsTables(of: try Migrations.done(connection))
        var databases = DatabaseCheck(knowsTables: knowsTables)
        try databases.checkZones(&walk)
        try databases.checkRecords(&walk)
        try databases.checkTombstones(&walk)
        try databases.checkReferences(&walk)
        try databases.checkEvents(&walk)
        try databases.checkEventRecords(&walk)
        try databases.checkTrash(&walk)
        for rows in tables.all { try databases.check(rows, &walk) }
        if knowsTables { walk.findings.judgeCatalogDigest(stored: catalog?.digest, found: databases.digest) }
        try databases.checkAssets(&walk)
        var indexes = IndexCheck(connection)
        try indexes.checkIndexes(&walk)
        try indexes.checkRecords(&walk)
        try indexes.checkEntries(&walk)
        try databases.checkHeads(&walk, catalog)
        try walk.checkPages()
        return walk.findings.list
    }

    // MARK: Catalog

    private mutating func checkCatalogRow(_ tenant: Tenant) throws(StorageError) -> CatalogHead? {
        do throws(StorageError) {
            let rows = try connection.number("SELECT count(*) FROM catalog") ?? 0
            walk.findings.expect(rows == 1, "catalog", "has \(rows) rows, not 1")
            guard rows > 0 else { return nil }
            let head = try reader.catalogs.head()
            guard head.deletedAt == 0 else { throw StorageError.noSuchTenant }
            let stored = try connection.number("SELECT checksum FROM catalog")
            let highestType = try connection.number("SELECT max(type) FROM types") ?? 0
            walk.findings.judge(head, of: tenant, checksum: stored, highestType: highestType)
            return head
        } catch {
            guard case .corrupt(let what) = error else { throw error }
            walk.findings.add("catalog", "row 1: \(what)")
            return nil
        }
    }

    // MARK: Users

    private mutating func checkUsers() throws(StorageError) {
        let next = Int32(UserRow.table.columns.count)
        try walk.each(
            "users",
            """
            SELECT \(TableSQL.list(UserRow.table)), (SELECT h.owner = u.id FROM heads h WHERE h.db = u.private_db),
                (SELECT k.user_id = u.id FROM server_keys k WHERE k.id = u.source_id)
            FROM users u
            """, isCounted: false
        ) { cursor, findings throws(StorageError) in
            // One that cannot be read is a finding of its table.
            guard let user = try? cursor.row(UserRow.self) else { return }
            findings.judge(
                user, ownsDatabase: cursor.int(next) == 1, isOfKey: cursor.int(next + 1) == 1)
        }
        try walk.each(
            "users",
            """
            SELECT id, hex(user_id) FROM server_keys k
            WHERE NOT EXISTS (SELECT 1 FROM users u WHERE u.id = k.user_id AND u.source = 1 AND u.source_id = k.id)
            """, isCounted: false
        ) { cursor, findings throws(StorageError) in
            findings.addMissingUser(cursor.string(1), ofKey: cursor.string(0))
        }
    }
}

extension SQLiteTenantStore {
    package func check(progress: (Int, Int) -> Void) throws(StorageError) -> [CheckFinding] {
        // A connection of its own: a check may take long, and statements that run once should not be kept.
        let connection = try Connection(path: path, access: .read, settings: Tuning.reader)
        return try withoutActuallyEscaping(progress) { progress throws(StorageError) in
            var check = TenantCheck(connection, tables, progress: progress)
            return try check.run(of: tenant)
        }
    }
}
