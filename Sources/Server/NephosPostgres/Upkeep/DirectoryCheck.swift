package import NephosStorage

/// Compares accounts and containers with their checksums and their digest, and the list of containers with the tenants
/// that there are, in one snapshot.
struct DirectoryCheck {
    private var walk: TableWalk
    private let tables: TableSet

    init(_ connection: Connection, _ tables: TableSet) {
        walk = TableWalk(connection, TenantNumber(value: 0))
        self.tables = tables
    }

    mutating func run() throws(StorageError) -> [CheckFinding] {
        defer { walk.transaction.rollback() }
        let digest = try tables.checkDirectory(&walk)
        let steps = try walk.transaction.run(Migrations.done).map { row throws(StorageError) in row.string(0) }
        try checkMeta(digest: tables.knowsTables(of: steps) ? digest : nil)
        var listed: Set<String> = []
        try walk.each(Self.containers, isCounted: false) { row, _ in listed.insert(row.string(0)) }
        try compareTenants(listed)
        return walk.findings.list
    }

    private static let containers = PagedTable(StoredTable(ContainerRow.table), "id")

    /// - Parameter digest: Of all counted rows; nil where there are some that nobody here knows.
    private mutating func checkMeta(digest: Int64?) throws(StorageError) {
        try walk.keepingOn("meta") { walk throws(StorageError) in
            let rows = try walk.transaction.run(Self.meta)
            try rows.forEach { row throws(StorageError) in
                if let digest {
                    walk.findings.judgeDirectoryDigest(ofRow: row.int(0), stored: row.int(1), found: digest)
                }
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
        StoredTable("catalog", .installation, ["tenant": .int]), "tenant, container, environment, deleted_at")
}

extension PostgresEngine {
    package func checkDirectory() throws(StorageError) -> [CheckFinding] {
        try pool.withConnectionRetrying { connection throws(StorageError) in
            var check = DirectoryCheck(connection, tables.described)
            return try check.run()
        }
    }
}
