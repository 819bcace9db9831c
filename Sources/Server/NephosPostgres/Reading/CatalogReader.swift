import CloudKitWire
import NephosStorage

/// Reads of the catalog: its row, and the tables of schema, roles, grants, tokens and keys.
struct CatalogReader {
    let tenant: TenantNumber

    /// Reads what ``catalog(_:remembered:_:)`` must know.
    var stamp: Call { Call(Self.stamp) { $0.add(tenant.value) } }

    /// The same, and keeps all others from changing the catalog until the transaction ends.
    var stampForUpdate: Call { Call(Self.stampForUpdate) { $0.add(tenant.value) } }

    /// The catalog as `stamp` shows it: `remembered`, when it is the same.
    ///
    /// A transaction that writes sees each of the tables at another moment. Their rows count only if the version was
    /// the same before and after.
    ///
    /// - Throws: ``StorageError/noSuchTenant`` once the container was deleted.
    func catalog(
        _ stamp: Rows, remembered: Catalog?, _ transaction: Transaction
    ) throws(StorageError) -> Catalog {
        var stamp = try Self.read(stamp)
        if let catalog = remembered?.asOf(stamp) { return catalog }
        while true {
            let tables = try Self.tables.map { table throws(StorageError) in try part(table) }
            let calls = [Call(Self.head) { $0.add(tenant.value) }] + tables.map(\.call) + [self.stamp]
            var answers = try transaction.run(calls)
            guard let headRow = answers.removeFirst().first else { throw .noSuchTenant }
            let head = try read(headRow)
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

    /// Reads one of the tables.
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

    /// - Throws: ``StorageError/noSuchTenant`` once the container was deleted.
    static func read(_ rows: Rows) throws(StorageError) -> CatalogStamp {
        guard let row = rows.first, row.int(3) == 0 else { throw .noSuchTenant }
        return CatalogStamp(version: row.int(0), lastDatabase: row.int(1), digest: row.int(2))
    }

    /// Reads the columns of ``headColumns``.
    func read(_ row: Row) throws(StorageError) -> CatalogHead {
        guard let environment = Environment(rawValue: row.string(2)) else {
            throw .corrupt("catalog: '\(row.string(2))' is no environment")
        }
        var head = CatalogHead(
            version: row.int(0), tenant: Tenant(container: row.string(1), environment: environment),
            lanes: row.int(3), lastDatabase: row.int(4), lastType: try row.type(8), signingKey: [],
            createdAt: row.int(5), deletedAt: row.int(6), digest: row.int(7))
        head.storedKey = row.bytes(9)
        head.sealing.key = row.int(10)
        head.sealing.fileKey = row.bytes(11)
        head.sealing.filePlace = row.int(12)
        head.sealing.filesSince = row.int(13)
        return head
    }

    static let headColumns = """
        version, container, environment, lanes, last_db, created_at, deleted_at, digest, last_type, \
        signing_key, secret_key, file_key, file_place, files_since
        """
    static let headColumnCount: Int32 = 14

    private static let stampSQL = "SELECT version, last_db, digest, deleted_at FROM catalog WHERE tenant = $1"
    private static let stamp = Statement(stampSQL)
    private static let stampForUpdate = Statement("\(stampSQL) FOR UPDATE")
    private static let head = Statement("SELECT \(headColumns) FROM catalog WHERE tenant = $1")
}
