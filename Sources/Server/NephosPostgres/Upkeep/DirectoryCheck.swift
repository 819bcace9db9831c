package import NephosStorage

/// Compares accounts and containers with their checksums and their digest, and the list of containers with the tenants
/// that there are, in one snapshot.
struct DirectoryCheck {
    private var walk: TableWalk

    init(_ connection: Connection) { walk = TableWalk(connection, TenantNumber(value: 0)) }

    mutating func run() throws(StorageError) -> [CheckFinding] {
        defer { walk.transaction.rollback() }
        var digest: Int64 = 0
        try walk.each(Self.accounts, isCounted: false) { row, findings throws(StorageError) in
            findings.judge(DirectoryStore.account(row), checksum: row.int(5))
            digest &+= row.int(5)
        }
        var listed: Set<String> = []
        try walk.each(Self.containers, isCounted: false) { row, findings throws(StorageError) in
            findings.judge(ContainerRow(id: row.string(0), createdAt: row.int(1)), checksum: row.int(2))
            digest &+= row.int(2)
            listed.insert(row.string(0))
        }
        try checkMeta(digest: digest)
        try compareTenants(listed)
        return walk.findings.list
    }

    private static let accounts = PagedTable(
        StoredTable("accounts", .directory, ["id": .text]),
        "id, email, given_name, family_name, created_at, checksum")
    private static let containers = PagedTable(
        StoredTable("containers", .directory, ["id": .text]), "id, created_at, checksum")

    private mutating func checkMeta(digest: Int64) throws(StorageError) {
        try walk.keepingOn("meta") { walk throws(StorageError) in
            let rows = try walk.transaction.run(Self.meta)
            try rows.forEach { row throws(StorageError) in
                walk.findings.judgeDirectoryDigest(ofRow: row.int(0), stored: row.int(1), found: digest)
                walk.findings.expect(
                    row.int(3) <= row.int(2), "meta",
                    "row \(row.int(0)): a tenant has the number \(row.int(3)), but \(row.int(2)) was the last")
            }
            walk.findings.expect(rows.count == 1, "meta", "has \(rows.count) rows, not 1")
        }
    }

    private static let meta = Statement(
        "SELECT id, digest, last_tenant, coalesce((SELECT max(tenant) FROM catalog), 0) FROM meta WHERE id = 1")

    private mutating func compareTenants(_ listed: Set<String>) throws(StorageError) {
        var found: [String: Set<String>] = [:]
        try walk.each(Self.tenants, isCounted: false) { row, _ throws(StorageError) in
            if row.int(3) == 0 { found[row.string(1), default: []].insert(row.string(2)) }
        }
        for id in listed.sorted() {
            for environment in Environment.allCases where found[id]?.contains(environment.rawValue) != true {
                walk.findings.add("containers", "container \(id): its \(environment.rawValue) tenant is missing")
            }
        }
        for id in Set(found.keys).subtracting(listed).sorted() {
            walk.findings.add("containers", "container \(id): has tenants, but is not on the list")
        }
    }

    private static let tenants = PagedTable(
        StoredTable("catalog", .directory, ["tenant": .int]), "tenant, container, environment, deleted_at")
}

extension PostgresEngine {
    package func checkDirectory() throws(StorageError) -> [CheckFinding] {
        try pool.withConnectionRetrying { connection throws(StorageError) in
            var check = DirectoryCheck(connection)
            return try check.run()
        }
    }
}
