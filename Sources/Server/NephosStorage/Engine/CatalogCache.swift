import Synchronization

/// The mutable values of the catalog's row in one snapshot, which determine whether a cached catalog is still valid.
package struct CatalogStamp: Equatable {
    package var version: Int64
    package var lastDatabase: DatabaseNumber
    package var digest: Int64
    package var endedSessions: Int64

    package init(version: Int64, lastDatabase: DatabaseNumber, digest: Int64, endedSessions: Int64) {
        self.version = version
        self.lastDatabase = lastDatabase
        self.digest = digest
        self.endedSessions = endedSessions
    }
}

extension CatalogHead {
    package var stamp: CatalogStamp {
        CatalogStamp(version: version, lastDatabase: lastDatabase, digest: digest, endedSessions: endedSessions)
    }
}

extension Catalog {
    /// Whether decisions based on this catalog are still valid in a snapshot with `other`, except for sessions that
    /// have ended (``CatalogHead/endedSessions``). A container that was deleted and created again has another signing
    /// key.
    package func isSame(as other: Catalog) -> Bool {
        self === other || (version == other.version && head.signingKey == other.head.signingKey)
    }

    /// This catalog as of `stamp`; nil if it must be read again.
    package func asOf(_ stamp: CatalogStamp) -> Catalog? {
        guard head.version == stamp.version else { return nil }
        if head.stamp == stamp { return self }
        // Only a database or a session was added, or a session ended: nothing else that requests are checked against
        // has changed.
        var head = head
        head.lastDatabase = stamp.lastDatabase
        head.digest = stamp.digest
        head.endedSessions = stamp.endedSessions
        return moved(to: head)
    }
}

/// The cache of a store's catalog. Only a catalog that was read from a *committed* snapshot may be cached: a version
/// that is rolled back is assigned again with other content.
package final class CatalogCache: Sendable {
    private let remembered = Mutex<Catalog?>(nil)
    private let gone = Atomic<Bool>(false)

    /// The keys that open the sealed values of the catalog.
    package let keys: SecretKeys

    /// Derives values from each version of the catalog, once.
    private let tables: TableSet

    package init(_ keys: SecretKeys, _ tables: TableSet) { (self.keys, self.tables) = (keys, tables) }

    /// Whether a read found that the container was deleted.
    package var isGone: Bool { gone.load(ordering: .relaxed) }

    /// Returns the catalog of a committed state.
    ///
    /// - Parameter read: Receives the cached catalog, and returns it if it is still valid, or the one that it read.
    /// - Throws: ``StorageError/noSuchTenant`` if the container was deleted.
    package func catalog(
        _ read: (Catalog?) throws(StorageError) -> Catalog
    ) throws(StorageError) -> Catalog {
        let known = remembered.withLock { $0 }
        return try noticing { () throws(StorageError) in
            var catalog = try read(known)
            if catalog !== known {
                catalog = try catalog.opened(by: keys).deriving(tables.derive)
                remembered.withLock { $0 = catalog }
            }
            return catalog
        }
    }

    /// Returns the cached catalog if it is still valid in the committed state whose stamp `read` returns; otherwise
    /// nil.
    ///
    /// - Throws: ``StorageError/noSuchTenant`` if the container was deleted.
    package func remembered(
        asOf read: () throws(StorageError) -> CatalogStamp
    ) throws(StorageError) -> Catalog? {
        try noticing { () throws(StorageError) in
            let stamp = try read()
            guard let known = remembered.withLock({ $0 }), let catalog = known.asOf(stamp) else { return nil }
            if catalog !== known { remembered.withLock { $0 = catalog } }
            return catalog
        }
    }

    /// Calls `read`, and records that the container was deleted if `read` throws ``StorageError/noSuchTenant``.
    package func noticing<Answer>(_ read: () throws(StorageError) -> Answer) throws(StorageError) -> Answer {
        do { return try read() } catch {
            if error == .noSuchTenant { gone.store(true, ordering: .relaxed) }
            throw error
        }
    }
}
