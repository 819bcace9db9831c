import CloudKitWire
import NephosStorage

/// Reads of the catalog: its row, and the tables of schema, roles, grants, tokens and keys.
struct CatalogReader {
    let connection: Connection

    /// The catalog of this snapshot: `remembered`, if it is still valid.
    ///
    /// - Throws: ``StorageError/noSuchTenant`` if the container was deleted.
    func catalog(remembered: Catalog?) throws(StorageError) -> Catalog {
        let stamp = try stamp()
        if let catalog = remembered?.asOf(stamp) { return catalog }
        var rows: [CatalogRow] = []
        for table in CatalogRow.tables { rows += try self.rows(table) }
        return Catalog(head: try head(), rows: rows)
    }

    private func rows<Row: CatalogStored>(_ type: Row.Type) throws(StorageError) -> [CatalogRow] {
        try TableReader(connection: connection).rows(Scan<Row>(limit: .max)).map(\.inCatalog)
    }

    /// - Throws: ``StorageError/noSuchTenant`` if the container was deleted.
    func stamp() throws(StorageError) -> CatalogStamp {
        var row = try connection.start(Self.stamp)
        guard try row.next() else { throw .corrupt("catalog: the row is missing") }
        guard row.int(3) == 0 else { throw .noSuchTenant }
        return CatalogStamp(
            version: row.int(0), lastDatabase: row.int(1), digest: row.int(2), endedSessions: row.int(4))
    }

    func head() throws(StorageError) -> CatalogHead {
        let head = try connection.first(Self.head) { row throws(StorageError) in try CatalogHead(row) }
        guard let head else { throw .corrupt("catalog: the row is missing") }
        return head
    }

    private static let stamp = Statement(
        "SELECT version, last_db, digest, deleted_at, ended_sessions FROM catalog")
    private static let head = Statement("SELECT \(CatalogHead.columns.joined(separator: ", ")) FROM catalog")
}
