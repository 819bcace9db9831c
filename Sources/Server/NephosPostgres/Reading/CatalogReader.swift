import CloudKitWire
import NephosStorage

/// Reads of the catalog: its row, and the tables of schema, roles, grants, tokens and keys.
struct CatalogReader {
    let tenant: TenantNumber

    /// Reads the input of ``catalog(_:remembered:_:)``.
    var stamp: Call { Call(Self.stamp, tenant.value) }

    /// The same, and locks the catalog until the transaction ends.
    var stampForUpdate: Call { Call(Self.stampForUpdate, tenant.value) }

    /// The catalog at `stamp`: `remembered`, if it is still valid.
    ///
    /// A transaction that writes sees each of the tables at a different time. Their rows are used only if the version was the
    /// same before and after.
    ///
    /// - Throws: ``StorageError/noSuchTenant`` if the container was deleted.
    func catalog(
        _ stamp: Rows, remembered: Catalog?, _ transaction: Transaction
    ) throws(StorageError) -> Catalog {
        var stamp = try Self.read(stamp)
        if let catalog = remembered?.asOf(stamp) { return catalog }
        while true {
            let tables = try Self.tables.map { table throws(StorageError) in try part(table) }
            let calls = [Call(Self.head, tenant.value)] + tables.map(\.call) + [self.stamp]
            var answers = try transaction.run(calls)
            guard let headRow = answers.removeFirst().first else { throw .noSuchTenant }
            let head = try CatalogHead(headRow)
            var rows: [CatalogRow] = []
            for (table, answer) in zip(tables, answers) { rows += try table.read(answer) }
            guard let last = answers.last else { throw .failed("the catalog's version was not read") }
            let after = try Self.read(last)
            if head.version == stamp.version, stamp.version == after.version {
                let catalog = Catalog(head: head, rows: rows)
                return catalog.asOf(after) ?? catalog
            }
            stamp = after
        }
    }

    private static let tables = CatalogRow.tables

    /// The read of one table.
    private struct Part {
        let call: Call
        let read: (Rows) throws(StorageError) -> [CatalogRow]
    }

    private func part<Stored: CatalogStored>(_ type: Stored.Type) throws(StorageError) -> Part {
        let tables = TableReader(tenant: tenant, isForUpdate: false)
        return Part(call: try tables.call(Scan<Stored>(limit: .max))) { rows throws(StorageError) in
            let stored: [Stored] = try tables.rows(rows)
            return stored.map(\.inCatalog)
        }
    }

    /// - Throws: ``StorageError/noSuchTenant`` if the container was deleted.
    static func read(_ rows: Rows) throws(StorageError) -> CatalogStamp {
        guard let row = rows.first, row.int(3) == 0 else { throw .noSuchTenant }
        return CatalogStamp(
            version: row.int(0), lastDatabase: row.int(1), digest: row.int(2), endedSessions: row.int(4))
    }

    static let headColumns = CatalogHead.columns.joined(separator: ", ")
    static let headColumnCount = Int32(CatalogHead.columns.count)

    private static let stampSQL =
        "SELECT version, last_db, digest, deleted_at, ended_sessions FROM catalog WHERE tenant = $1"
    private static let stamp = Statement(stampSQL)
    private static let stampForUpdate = Statement("\(stampSQL) FOR UPDATE")
    private static let head = Statement("SELECT \(headColumns) FROM catalog WHERE tenant = $1")
}
