/// The initial contents of a new tenant.
public struct TenantSeed: Sendable {
    /// The head of its catalog. As many databases of the public kind as it has `lanes` are created, each with its
    /// default zone.
    public var head: CatalogHead
    /// The rows of its catalog.
    public var rows: [CatalogRow]

    /// Creates a seed from a catalog.
    public init(head: CatalogHead, rows: [CatalogRow]) {
        self.head = head
        self.rows = rows
    }
}

/// Stores tenants, accounts and the list of containers.
public protocol StorageEngine: AnyObject, Sendable {
    /// `sqlite` or `postgres`; shown in logs and reports.
    var name: String { get }

    /// Whether reads access another computer, and belong on a thread that may block (``TenantStore/readsWait``).
    var readsWait: Bool { get }

    /// Reads one row, to find out whether the engine works. Takes microseconds unless ``readsWait``.
    ///
    /// - Throws: ``StorageError`` if the row cannot be read.
    func probe() throws(StorageError)

    /// The tenant, if it is open already. Never blocks.
    func opened(_ tenant: Tenant) -> (any TenantStore)?

    /// Opens a tenant, or returns nil if there is no such container. May block.
    ///
    /// - Throws: ``StorageError`` if the tenant cannot be opened, such as `denied`, `corrupt`, `newer` or `noKey`.
    func open(_ tenant: Tenant) throws(StorageError) -> (any TenantStore)?

    /// Accounts, the list of containers, and everything else that does not belong to a tenant.
    var directory: any DirectoryStore { get }

    /// Reads the news of these tenants and of the given topics in each, all in one call. A tenant that does not exist
    /// or cannot be read is omitted: reading it reports why. A tenant that was deleted and created again is omitted
    /// once. May block.
    ///
    /// - Throws: ``StorageError`` if none of them can be read, as when the database server cannot be reached.
    func news(of topics: [Tenant: Set<Topic>]) throws(StorageError) -> [Tenant: TenantNews]

    /// ``TenantStore/check(progress:)`` for accounts and the list of containers.
    ///
    /// - Throws: ``StorageError`` if it cannot be read at all. Damage is a finding, not an error.
    func checkDirectory() throws(StorageError) -> [CheckFinding]

    /// When background work is due, and which process runs it.
    var jobs: any JobStore { get }

    /// Removes rows of containers that were deleted, at most `rows` of them in one transaction. May block.
    ///
    /// - Returns: Whether there is more to remove.
    /// - Throws: ``StorageError``; then what was removed stays removed, and the next call continues with the rest.
    func sweepDeletedContainers(rows: Int) throws(StorageError) -> Bool

    /// Adds a listener, which is called with all news from now on, on threads of the engine. It must not block.
    func listen(_ listener: @escaping @Sendable (StorageNews) -> Void)

    /// How far, at least, the clock that the servers of this store share is ahead of this machine's clock, in
    /// microseconds; nil if they share this machine's clock. May block.
    ///
    /// - Parameter ofMachine: This machine's clock, in microseconds.
    /// - Throws: ``StorageError`` if the shared clock cannot be read.
    func clockDifference(ofMachine: @Sendable () -> Int64) throws(StorageError) -> Int64?

    /// Completes waiting writes and closes everything.
    func close()
}

extension StorageEngine {
    /// Returns nil: the servers of the store share this machine's clock.
    ///
    /// - Throws: Nothing, unless an engine replaces it with an implementation that throws.
    public func clockDifference(ofMachine: @Sendable () -> Int64) throws(StorageError) -> Int64? { nil }
}
