import CloudKitWire
import NephosQueries
package import NephosStorage

/// Which indexes a database has, changed inside a transaction that holds the lock of its head.
extension WriteSession {
    /// - Throws: ``StorageError/failed(_:)`` when there is no such database.
    func indexList(of database: DatabaseNumber) throws(StorageError) -> IndexList {
        try lock([database])
        guard let head = try lockHead(database) else { throw .failed("there is no database \(database)") }
        let reader = IndexReader(tenant: tenant)
        guard let rows = try transaction.run([reader.all(database)]).first else {
            throw .failed("the list of indexes was not read")
        }
        return IndexList(head, try reader.list(rows), unreadable: try reader.unreadable(rows))
    }

    /// Writes what changed in a list.
    func store(_ list: IndexList) throws(StorageError) {
        for change in list.changes { try IndexWriter.apply(change, in: list.database, tenant, transaction) }
        guard try lockHead(list.database)?.indexVersion != list.version else { return }
        try changeHead(list.database) { $0.indexVersion = list.version }
    }
}

extension PostgresTenantStore: IndexListing {
    package func changeIndexes(
        of database: DatabaseNumber, where isDue: (@Sendable (IndexRow) -> Bool)?,
        _ change: @escaping @Sendable (inout IndexList) -> Void
    ) async throws {
        try await perform { session throws(StorageError) in
            if let isDue {
                let known = try IndexReader(tenant: session.tenant).list(database, session.transaction)
                guard known.contains(where: isDue) else { return }
            }
            var list = try session.indexList(of: database)
            change(&list)
            try session.store(list)
        }
    }
}
