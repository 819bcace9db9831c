import Synchronization

/// What the catalog's row says in one snapshot: enough to know whether a remembered catalog still holds.
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
    /// Whether what was judged by this catalog still holds in a snapshot that shows `other`, but for sessions that have ended
    /// (``CatalogHead/endedSessions``). A container that was deleted and made again has another signing key.
    package func isSame(as other: Catalog) -> Bool {
        self === other || (version == other.version && head.signingKey == other.head.signingKey)
    }

    /// This catalog as of `stamp`; nil when it must be read anew.
    package func asOf(_ stamp: CatalogStamp) -> Catalog? {
        guard head.version == stamp.version else { return nil }
        if head.stamp == stamp { return self }
        // Only a database or a session came, or a session ended: what requests are judged by beside it is the same.
        var head = head
        head.lastDatabase = stamp.lastDatabase
        head.digest = stamp.digest
        head.endedSessions = stamp.endedSessions
        return moved(to: head)
    }
}

/// The catalog that a store remembers. Only what was read from a *committed* snapshot may enter: a version that is
/// rolled back is given out again with another content.
package final class CatalogCache: Sendable {
    private let remembered = Mutex<Catalog?>(nil)
    private let gone = Atomic<Bool>(false)

    /// Opens what the catalog has sealed.
    package let keys: SecretKeys

    /// Of what is remembered, more is made once for each version.
    private let tables: TableSet

    package init(_ keys: SecretKeys, _ tables: TableSet) { (self.keys, self.tables) = (keys, tables) }

    /// Whether somebody saw that the container was deleted.
    package var isGone: Bool { gone.load(ordering: .relaxed) }

    /// The catalog of a committed state, read by `read`, which is told what is remembered.
    ///
    /// - Throws: ``StorageError/noSuchTenant`` once the container was deleted.
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

    /// What is remembered, if it still holds in the committed state whose stamp `read` reads; nil else.
    ///
    /// - Throws: ``StorageError/noSuchTenant`` once the container was deleted.
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

    /// Does `read`, and notes that the container was deleted where that finds out.
    package func noticing<Answer>(_ read: () throws(StorageError) -> Answer) throws(StorageError) -> Answer {
        do { return try read() } catch {
            if error == .noSuchTenant { gone.store(true, ordering: .relaxed) }
            throw error
        }
    }
}
