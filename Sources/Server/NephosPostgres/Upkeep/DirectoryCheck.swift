package import NephosStorage

extension PostgresEngine {
    /// Compares the directory's tables with their checksums and their digest, and the list of containers with the existing
    /// tenants, in one snapshot.
    package func checkDirectory() throws(StorageError) -> [CheckFinding] {
        try pool.withConnectionRetrying { connection throws(StorageError) in
            var walk = TableWalk(connection, .none)
            defer { walk.transaction.rollback() }
            let listed = try walk.checkDirectory(tables)
            try walk.compareTenants(listed)
            return walk.findings.list
        }
    }
}

extension TableWalk {
    fileprivate mutating func compareTenants(_ listed: Set<String>) throws(StorageError) {
        var (found, highest) = ([String: Set<String>](), Int64(0))
        try each(Self.tenants, isCounted: false) { row, _, _ in
            highest = max(highest, row.int(0))
            if row.int(3) == 0 { found[row.string(1), default: []].insert(row.string(2)) }
        }
        try each(Self.lastTenant, isCounted: false) { row, last, findings in
            findings.expect(
                highest <= row.int(last), "meta",
                "row \(row.int(0)): a tenant has the number \(highest), but the last assigned was \(row.int(last))")
        }
        for id in listed.sorted() {
            for environment in Environment.allCases where found[id]?.contains(environment.rawValue) != true {
                findings.add("containers", "container \(id): its \(environment.rawValue) tenant is missing")
            }
        }
        for id in Set(found.keys).subtracting(listed).sorted() {
            findings.add("containers", "container \(id): has tenants, but is not on the list")
        }
    }

    private static let tenants = AuditedTable(
        reading: ["tenant", "container", "environment", "deleted_at"],
        of: StoredTable("catalog", .installation, ["tenant": .int]))
    private static let lastTenant = AuditedTable(
        reading: ["id", "last_tenant"], of: StoredTable("meta", .installation, ["id": .int]))
}
