import CloudKitWire
import NephosStorage
import Synchronization

/// What the catalog's row says in one snapshot: enough to know whether a remembered catalog still holds.
struct CatalogStamp: Equatable {
    var version: Int64
    var lastDatabase: DatabaseNumber
    var digest: Int64
}

/// The catalog that a store remembers. Only what was read from a *committed* snapshot may enter: a version that is
/// rolled back is given out again with another content.
final class CatalogCache: Sendable {
    private let remembered = Mutex<Catalog?>(nil)
    private let gone = Atomic<Bool>(false)

    /// Whether somebody saw that the container was deleted.
    var isGone: Bool { gone.load(ordering: .relaxed) }

    /// The catalog of the committed state that `reader` sees.
    ///
    /// - Throws: ``StorageError/noSuchTenant`` once the container was deleted.
    func catalog(seenBy reader: CatalogReader) throws(StorageError) -> Catalog {
        let known = remembered.withLock { $0 }
        do {
            let catalog = try reader.catalog(remembered: known)
            if catalog !== known { remembered.withLock { $0 = catalog } }
            return catalog
        } catch {
            if error == .noSuchTenant { gone.store(true, ordering: .relaxed) }
            throw error
        }
    }
}

/// Reads of the catalog: its row, and the tables of schema, roles, grants, tokens and keys.
final class CatalogReader {
    private let stampOnly: Query
    private let headOnly: Query
    private let tables: [(table: CatalogTable, query: Query)]

    init(_ connection: Connection) {
        stampOnly = Query(connection, "SELECT version, last_db, digest, deleted_at FROM catalog")
        headOnly = Query(
            connection,
            """
            SELECT version, container, environment, lanes, last_db, signing_key, created_at, deleted_at, digest,
                last_type
            FROM catalog
            """)
        tables = CatalogTable.allCases.filter { $0 != .sessions }.map { ($0, Query(connection, $0.query())) }
    }

    /// The catalog of this snapshot: `remembered`, when it is the same.
    ///
    /// - Throws: ``StorageError/noSuchTenant`` once the container was deleted.
    func catalog(remembered: Catalog?) throws(StorageError) -> Catalog {
        let stamp = try stamp()
        if let remembered, remembered.head.version == stamp.version {
            if remembered.head.stamp == stamp { return remembered }
            // Only a database or a session came: what requests are judged by is the same.
            var head = remembered.head
            head.lastDatabase = stamp.lastDatabase
            head.digest = stamp.digest
            return remembered.moved(to: head)
        }
        var rows: [CatalogRow] = []
        for (table, query) in tables {
            var cursor = try query.start()
            while try cursor.next() { rows.append(try table.read(cursor)) }
        }
        return Catalog(head: try head(), rows: rows)
    }

    private func stamp() throws(StorageError) -> CatalogStamp {
        var cursor = try stampOnly.start()
        guard try cursor.next() else { throw .corrupt("catalog: the row is missing") }
        guard cursor.int(3) == 0 else { throw .noSuchTenant }
        return CatalogStamp(version: cursor.int(0), lastDatabase: cursor.int(1), digest: cursor.int(2))
    }

    func head() throws(StorageError) -> CatalogHead {
        var cursor = try headOnly.start()
        guard try cursor.next() else { throw .corrupt("catalog: the row is missing") }
        guard let environment = Environment(rawValue: cursor.string(2)) else {
            throw .corrupt("catalog: '\(cursor.string(2))' is no environment")
        }
        return CatalogHead(
            version: cursor.int(0), tenant: Tenant(container: cursor.string(1), environment: environment),
            lanes: cursor.int(3), lastDatabase: cursor.int(4), lastType: try cursor.type(9),
            signingKey: cursor.bytes(5),
            createdAt: cursor.int(6), deletedAt: cursor.int(7), digest: cursor.int(8))
    }
}

extension CatalogHead {
    var stamp: CatalogStamp { CatalogStamp(version: version, lastDatabase: lastDatabase, digest: digest) }
}
