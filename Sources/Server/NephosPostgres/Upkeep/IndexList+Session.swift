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

extension PostgresTenantStore {
    package func openIndexes(
        _ shapes: [IndexShape], in database: DatabaseNumber, at now: Milliseconds
    ) async throws {
        try await perform { session throws(StorageError) in
            var list = try session.indexList(of: database)
            list.open(shapes, at: now)
            try session.store(list)
        }
    }

    package func dropIndexes(_ numbers: [IndexNumber], in database: DatabaseNumber) async throws {
        try await perform { session throws(StorageError) in
            var list = try session.indexList(of: database)
            list.drop(numbers)
            try session.store(list)
        }
    }

    package func noteUse(of numbers: [IndexNumber], in database: DatabaseNumber, at now: Milliseconds) async throws {
        try await perform { session throws(StorageError) in
            // Within the hour there is nothing to write, and no head need be locked.
            let known = try IndexReader(tenant: session.tenant).list(database, session.transaction)
            guard known.contains(where: { $0.isUseToBeNoted(of: numbers, at: now) }) else { return }
            var list = try session.indexList(of: database)
            list.noteUse(of: numbers, at: now)
            try session.store(list)
        }
    }
}
