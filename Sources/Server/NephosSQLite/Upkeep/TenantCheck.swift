import CloudKitWire
package import NephosStorage

/// Compares everything a tenant's file holds with its checksums, counters and digest, in one snapshot.
///
/// A changed row is found by its checksum. An added or a removed one by what counts it: the digest for the catalog,
/// the head for what a database holds, the last number given out for heads, and head or key for users.
struct TenantCheck {
    private let connection: Connection
    private let reader: TenantReader
    private var walk: TableWalk

    init(_ connection: Connection, progress: @escaping (Int, Int) -> Void) {
        self.connection = connection
        reader = TenantReader(connection)
        walk = TableWalk(connection, progress: progress)
    }

    mutating func run(of tenant: Tenant) throws(StorageError) -> [CheckFinding] {
        try connection.beginReading()
        defer { connection.rollback() }
        try walk.count(
            [
                "types", "fields", "roles", "grants", "api_tokens", "server_keys", "sessions", "users", "heads",
                "zones",
                "records", "tombstones", "refs", "change_events", "event_records", "cascades", "trash", "assets",
                "asset_refs", "push_keys", "credential_uses", "indexes",
                "index_rows",
            ] + DescribedTables.all.map { $0.table.name })
        let catalog = try checkCatalogRow(tenant)
        try checkCatalogTables(digest: catalog?.digest)
        try checkUsers()
        var databases = DatabaseCheck()
        try databases.checkZones(&walk)
        try databases.checkRecords(&walk)
        try databases.checkTombstones(&walk)
        try databases.checkReferences(&walk)
        try databases.checkEvents(&walk)
        try databases.checkEventRecords(&walk)
        try databases.checkCascades(&walk)
        try databases.checkTrash(&walk)
        for rows in DescribedTables.all { try databases.check(rows, &walk) }
        try databases.checkAssets(&walk)
        try checkUses()
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

    private mutating func checkCatalogTables(digest stored: Int64?) throws(StorageError) {
        var digest: Int64 = 0
        for table in CatalogTable.allCases {
            try walk.each(table.rawValue, table.query(with: "checksum")) {
                cursor, findings throws(StorageError) in
                // Before the row is read: one that cannot be is a finding of its own, and no reason for another.
                digest &+= cursor.int(table.columnCount)
                findings.judge(try table.read(cursor), in: table.rawValue, checksum: cursor.int(table.columnCount))
            }
        }
        walk.findings.judgeCatalogDigest(stored: stored, found: digest)
    }

    // MARK: Users

    /// Nothing counts these: one that is missing says that nobody knows when its credential was used.
    private mutating func checkUses() throws(StorageError) {
        let columns = CredentialUseReader.columns
        try walk.each("credential_uses", "SELECT \(columns), checksum FROM credential_uses") {
            cursor, findings throws(StorageError) in
            findings.judge(
                try CredentialUseReader.row(cursor), checksum: cursor.int(CredentialUseReader.columnCount))
        }
    }

    private mutating func checkUsers() throws(StorageError) {
        try walk.each(
            "users",
            """
            SELECT id, source, source_id, private_db, created_at, checksum,
                (SELECT h.owner = u.id FROM heads h WHERE h.db = u.private_db),
                (SELECT k.user_id = u.id FROM server_keys k WHERE k.id = u.source_id)
            FROM users u
            """
        ) { cursor, findings throws(StorageError) in
            findings.judge(
                try PeopleReader.user(cursor), checksum: cursor.int(5), ownsDatabase: cursor.int(6) == 1,
                isOfKey: cursor.int(7) == 1)
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
            var check = TenantCheck(connection, progress: progress)
            return try check.run(of: tenant)
        }
    }
}
