import CloudKitWire
import NephosQueries
package import NephosStorage

/// Which indexes a database has, changed inside a transaction.
extension WriteSession {
    /// - Throws: ``StorageError/failed(_:)`` when there is no such database.
    func indexList(of database: DatabaseNumber) throws(StorageError) -> IndexList {
        _ = try catalog()
        guard let head = try reader.heads.head(database) else { throw .failed("there is no database \(database)") }
        return IndexList(
            head, try reader.indexes.list(database), unreadable: try reader.indexes.unreadable(database))
    }

    /// Writes what changed in a list.
    func store(_ list: IndexList) throws(StorageError) {
        for change in list.changes {
            switch change {
            case .insert(let row): try writer.indexes.insert(row)
            case .update(let row): try writer.indexes.update(row)
            case .remove(let number): try writer.indexes.remove(number, in: list.database)
            }
        }
        guard !list.changes.isEmpty else { return }
        try changeHead(list.database) { $0.indexVersion = list.version }
    }
}

extension SQLiteTenantStore: IndexListing {
    package func changeIndexes(
        of database: DatabaseNumber, where isDue: (@Sendable (IndexRow) -> Bool)?,
        _ change: @escaping @Sendable (inout IndexList) -> Void
    ) async throws {
        // The writer need not be asked to find out that there is nothing to do.
        if let isDue {
            let known = try readers.read { reader throws(StorageError) in try reader.indexes.list(database) }
            guard known.contains(where: isDue) else { return }
        }
        try await perform { session throws(StorageError) in
            var list = try session.indexList(of: database)
            change(&list)
            try session.store(list)
        }
    }
}
