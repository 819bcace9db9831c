import CloudKitWire
import NephosStorage

/// Reads of the catalog: its row, and the tables of schema, roles, grants, tokens and keys.
final class CatalogReader {
    private let stampOnly: Query
    private let headOnly: Query
    private let tables: TableReader

    init(_ connection: Connection, _ tables: TableReader) {
        stampOnly = Query(connection, "SELECT version, last_db, digest, deleted_at FROM catalog")
        headOnly = Query(connection, "SELECT \(CatalogHead.columns.joined(separator: ", ")) FROM catalog")
        self.tables = tables
    }

    /// The catalog of this snapshot: `remembered`, when it is the same.
    ///
    /// - Throws: ``StorageError/noSuchTenant`` once the container was deleted.
    func catalog(remembered: Catalog?) throws(StorageError) -> Catalog {
        let stamp = try stamp()
        if let catalog = remembered?.asOf(stamp) { return catalog }
        var rows: [CatalogRow] = []
        for table in CatalogRow.tables { rows += try self.rows(table) }
        return Catalog(head: try head(), rows: rows)
    }

    private func rows<Row: CatalogStored>(_ type: Row.Type) throws(StorageError) -> [CatalogRow] {
        try tables.rows(Scan<Row>(limit: .max)).map(\.inCatalog)
    }

    /// - Throws: ``StorageError/noSuchTenant`` once the container was deleted.
    func version() throws(StorageError) -> Int64 { try stamp().version }

    private func stamp() throws(StorageError) -> CatalogStamp {
        var cursor = try stampOnly.start()
        guard try cursor.next() else { throw .corrupt("catalog: the row is missing") }
        guard cursor.int(3) == 0 else { throw .noSuchTenant }
        return CatalogStamp(version: cursor.int(0), lastDatabase: cursor.int(1), digest: cursor.int(2))
    }

    func head() throws(StorageError) -> CatalogHead {
        var cursor = try headOnly.start()
        guard try cursor.next() else { throw .corrupt("catalog: the row is missing") }
        return try CatalogHead(cursor)
    }
}
