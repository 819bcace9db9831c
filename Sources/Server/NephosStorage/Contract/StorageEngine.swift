/// What a new tenant starts with.
public struct TenantSeed: Sendable {
    /// `lanes` databases of the public kind are made from it, each with its default zone.
    public var head: CatalogHead
    /// The rows of its catalog.
    public var rows: [CatalogRow]

    /// Creates a seed from a catalog.
    public init(head: CatalogHead, rows: [CatalogRow]) {
        self.head = head
        self.rows = rows
    }
}

/// A place where tenants, accounts and the list of containers are kept.
public protocol StorageEngine: AnyObject, Sendable {
    /// `sqlite` or `postgres`; shown in logs and reports.
    var name: String { get }

    /// Reads ask another computer, and belong on a thread that may wait (``TenantStore/readsWait``).
    var readsWait: Bool { get }

    /// Reads one row, to find out whether the engine answers. Takes microseconds unless ``readsWait``.
    ///
    /// - Throws: ``StorageError`` when the engine does not answer.
    func probe() throws(StorageError)

    /// The tenant, if it is open already. Never waits.
    func opened(_ tenant: Tenant) -> (any TenantStore)?

    /// Opens a tenant, or answers nil when there is no such container. May wait for the disk.
    ///
    /// - Throws: ``StorageError``: why the tenant cannot be opened, such as `denied`, `corrupt`, `newer` or `noKey`.
    func open(_ tenant: Tenant) throws(StorageError) -> (any TenantStore)?

    /// Accounts, the list of containers, and what else is of no tenant.
    var directory: any DirectoryStore { get }

    /// What became of each of these tenants and of these topics in it, in one look. A tenant that is not there or cannot be read is
    /// left out, and says why when it is read; so is once one that was deleted and made anew. May wait.
    ///
    /// - Throws: ``StorageError`` when none of them can be read, as when the database server is not reached.
    func news(of topics: [Tenant: Set<Topic>]) throws(StorageError) -> [Tenant: TenantNews]

    /// ``TenantStore/check(progress:)`` for accounts and the list of containers.
    ///
    /// - Throws: ``StorageError`` when it cannot be read at all. What is damaged is a finding, and no error.
    func checkDirectory() throws(StorageError) -> [CheckFinding]

    /// When background work is due, and who is at it.
    var jobs: any JobStore { get }

    /// Removes rows of containers that were deleted, at most `rows` of them in one transaction. May wait.
    ///
    /// - Returns: Whether there is more to remove.
    /// - Throws: ``StorageError``; then what was removed stays removed, and the rest is found again.
    func sweepDeletedContainers(rows: Int) throws(StorageError) -> Bool

    /// Has `listener` called with news from now on, on threads of the engine. It must not wait.
    func listen(_ listener: @escaping @Sendable (StorageNews) -> Void)

    /// How much the clock that servers of this store share is ahead of this machine's, at least, in microseconds; nil where this machine's is
    /// that. May wait.
    ///
    /// - Parameter ofMachine: This machine's clock, in microseconds.
    /// - Throws: ``StorageError`` when the shared clock cannot be read.
    func clockDifference(ofMachine: @Sendable () -> Int64) throws(StorageError) -> Int64?

    /// Finishes waiting writes and closes everything.
    func close()
}

extension StorageEngine {
    /// Nil: this machine's clock is the one that counts.
    ///
    /// - Throws: Nothing, unless an engine says otherwise.
    public func clockDifference(ofMachine: @Sendable () -> Int64) throws(StorageError) -> Int64? { nil }
}
