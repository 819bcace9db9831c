import NephosStorage

/// One transaction after another over the writer's connection.
///
/// It belongs to the thread that drains the queue, which is why it may say that it is `Sendable`.
final class WriteSession: @unchecked Sendable {
    let connection: Connection
    let reader: TenantReader
    let writer: TenantWriter
    private let cache: CatalogCache
    /// The catalog as this transaction left it: never in the cache, since the transaction may still be rolled back.
    private var uncommittedCatalog: Catalog?

    init(_ connection: Connection, _ cache: CatalogCache) {
        self.connection = connection
        self.cache = cache
        reader = TenantReader(connection)
        writer = TenantWriter(connection)
    }

    func begin() throws(StorageError) {
        uncommittedCatalog = nil
        try connection.begin()
    }

    func commit() throws(StorageError) { try connection.commit() }

    func rollback() { connection.rollback() }

    /// The catalog as this transaction sees it. - Throws: ``StorageError/noSuchTenant``.
    func catalog() throws(StorageError) -> Catalog {
        if let uncommittedCatalog { return uncommittedCatalog }
        // Nothing of the catalog was written yet in this transaction, so what it sees is committed.
        return try cache.catalog(seenBy: reader.catalogs)
    }

    /// Changes what a head counts or keeps, for work of the engine itself.
    func changeHead(
        _ database: DatabaseNumber, _ change: (inout HeadRow) -> Void
    ) throws(StorageError) {
        guard var head = try reader.heads.head(database) else {
            throw .corrupt("heads: database \(database) is missing")
        }
        change(&head)
        try writer.heads.update(head)
    }

    /// Writes a decision's rows, all or nothing.
    ///
    /// - Parameter reading: What the decision saw.
    func apply(_ writes: WriteSet, _ reading: Reading) throws(StorageError) {
        guard !writes.isEmpty else { return }
        let heads = reading.databases.compactMap { $0 }
        let catalog = reading.catalog
        try connection.inSavepoint { () throws(StorageError) in
            try writer.apply(writes, stored: heads, catalog: catalog.head)
        }
        if !writes.catalog.isEmpty || !writes.databases.isEmpty {
            uncommittedCatalog = try reader.catalogs.catalog(remembered: reading.catalog)
        }
    }
}
