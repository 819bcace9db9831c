import CloudKitWire
import NephosQueries
package import NephosStorage

/// Compares everything a tenant's file holds with its checksums, counters and digest, in one snapshot.
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
        try walk.count(tables.stored)
        let catalog = try checkCatalogRow(tenant)
        var check = DatabaseCheck(knowsTables: tables.knowsTables(of: try Migrations.done(connection)))
        try check.run(&walk, tables, catalog, checkIndexes: IndexAudit.check)
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
