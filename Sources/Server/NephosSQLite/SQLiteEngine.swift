import CSQLite
package import NephosStorage
import Synchronization

/// Tenants in SQLite files below one folder.
///
/// Several processes may use the folder at the same time: a server, and commands.
package final class SQLiteEngine: StorageEngine {
    let folder: DataDirectory
    let options: SQLiteOptions
    private let store: Mutex<DirectoryFile?>
    private let tenants: OpenTenants<SQLiteTenantStore>
    private let news = NewsBroadcaster()
    private let jobTable: SQLiteJobs
    package let secretKeys: SecretKeys

    /// Once per process. If SQLite was used before, the call fails, which costs some speed.
    private static let libraryIsConfigured = sqlite3_config_without_memory_statistics() == 0

    /// Whether a folder is a data folder. - Throws: ``StorageError/denied(_:)`` without permission to look.
    package static func isStore(_ path: String) throws(StorageError) -> Bool {
        try FileSystem.exists(DataDirectory(path).directoryFile)
    }

    /// Whether a folder that is not a store contains anything except what an interrupted creation of a store leaves there.
    package static func isForeign(_ path: String) throws(StorageError) -> Bool {
        guard try FileSystem.exists(path), try !isStore(path) else { return false }
        return try DataDirectory(path).hasOthers()
    }

    /// Whether a data folder has the keys of its secrets. - Throws: ``StorageError/denied(_:)`` as above.
    package static func hasOwnKeys(_ path: String) throws(StorageError) -> Bool {
        try FileSystem.exists(DataDirectory(path).secretKey)
    }

    /// Opens a data folder, or creates one.
    ///
    /// - Throws: ``StorageError/newer(_:)`` if a newer server created it; ``StorageError/unfinishedCopy``.
    package init(directory path: String, options: SQLiteOptions = SQLiteOptions()) throws(StorageError) {
        _ = Self.libraryIsConfigured
        folder = DataDirectory(path)
        self.options = options
        try FileSystem.createFolder(folder.containers)
        let store = try DirectoryFile(folder, options.tables)
        let isUnfinished = try store.copiedFrom() != 0
        guard !isUnfinished || options.acceptsUnfinishedCopy else { throw .unfinishedCopy }
        let keys = try FolderKeys(folder, store, options).find()
        secretKeys = options.acceptsLostKey ? keys.acceptingLoss : keys
        self.store = Mutex(store)
        tenants = OpenTenants(limit: options.openTenants)
        jobTable = try SQLiteJobs(folder)
        // A copy has folders that are not on the list yet.
        if !isUnfinished { try tidy() }
    }

    /// Completes what a process that died had begun: deletions are completed, and creations that were not listed are removed.
    private func tidy() throws(StorageError) {
        try withStore { store throws(StorageError) in
            guard try folders.haveLeftovers(listed: Self.ids(store)) else { return }
            try store.write { () throws(StorageError) in
                for row in try store.containers() {
                    guard try folders.isBeingDeleted(row.id) else { continue }
                    try markDeleted(row.id, at: max(row.createdAt, 1))
                    var writes = WriteSet()
                    writes.remove(row)
                    try store.apply(writes)
                }
            }
            try store.write { () throws(StorageError) in
                try folders.retireUnlisted(listed: Self.ids(store))
                try folders.removeLeftovers()
            }
        }
    }

    private static func ids(_ store: DirectoryFile) throws(StorageError) -> Set<String> {
        Set(try store.containers().map(\.id))
    }

    package var name: String { "sqlite" }
    package var readsWait: Bool { false }

    package func probe() throws(StorageError) {
        try withStore { store throws(StorageError) in _ = try store.digest() }
    }

    /// Acquires the right to serve this folder, for the lifetime of the lock.
    ///
    /// - Throws: ``StorageError/failed(_:)`` with a clear text if another process has it.
    package func lockForServing() throws(StorageError) -> ServeLock {
        let lock = try ServeLock(folder)
        try jobTable.endLeases()
        return lock
    }

    package var jobs: any JobStore { jobTable }

    /// A container is removed with its folder, in one step.
    package func sweepDeletedContainers(rows: Int) throws(StorageError) -> Bool { false }

    package func listen(_ listener: @escaping @Sendable (StorageNews) -> Void) { news.add(listener) }

    // MARK: Tenants

    /// The number of open tenants.
    package var openTenants: Int { tenants.count }

    package func opened(_ tenant: Tenant) -> (any TenantStore)? { tenants[tenant] }

    package func open(_ tenant: Tenant) throws(StorageError) -> (any TenantStore)? {
        try store(of: tenant)
    }

    private func store(of tenant: Tenant) throws(StorageError) -> SQLiteTenantStore? {
        guard DataDirectory.isSafe(tenant.container) else { return nil }
        return try tenants.open(tenant) { () throws(StorageError) in try openFile(tenant) }
    }

    private func openFile(_ tenant: Tenant) throws(StorageError) -> SQLiteTenantStore? {
        let names = try withStore { store throws(StorageError) in
            try store.container(tenant.container) == nil ? nil : try store.secretNames()
        }
        guard let names else { return nil }
        do throws(StorageError) {
            return try SQLiteTenantStore(
                tenant: tenant, in: folder, options: options, secretKeys, sealing: secretKeys[names.current],
                news: news)
        } catch {
            // A deletion is in progress, or was interrupted.
            if error == .noSuchTenant { return nil }
            throw error
        }
    }

    package func news(of topics: [Tenant: Set<Topic>]) throws(StorageError) -> [Tenant: TenantNews] {
        var news: [Tenant: TenantNews] = [:]
        for (tenant, topics) in topics {
            do throws(StorageError) {
                news[tenant] = try store(of: tenant)?.news(of: topics)
            } catch {
                guard error.isOfOneTenant else { throw error }
            }
        }
        return news
    }

    // MARK: Directory

    package var directory: any DirectoryStore { SQLiteDirectory(engine: self) }

    /// Marks a container's tenants as deleted, for every process that has them open.
    func markDeleted(_ container: String, at time: Milliseconds) throws(StorageError) {
        for environment in Environment.allCases {
            try markDeleted(Tenant(container: container, environment: environment), at: time)
        }
    }

    /// Drops what this process caches of a container that was deleted, or is created again.
    func forget(_ container: String) { tenants.forget(container: container) }

    private func markDeleted(_ tenant: Tenant, at time: Milliseconds) throws(StorageError) {
        guard try FileSystem.exists(folder.tenant(tenant)) else { return }
        do throws(StorageError) {
            try SQLiteTenantStore.markDeleted(tenant, in: folder, options.tables, at: time)
        } catch {
            // A file that cannot be read is not served, and must not prevent its own deletion.
            guard case .corrupt = error else { throw error }
        }
    }

    var folders: ContainerFolders { ContainerFolders(directory: folder, tables: options.tables) }

    // MARK: Closing

    package func close() {
        for store in tenants.closeAll() { store.close() }
        jobTable.close()
        store.withLock { $0 = nil }
    }

    /// ``withStore(_:)`` for a body that throws any error.
    func withDirectory<Answer: Sendable>(_ body: (DirectoryFile) throws -> Answer) throws -> Answer {
        try store.withLock { store in
            guard let store else { throw StorageError.closed }
            return try body(store)
        }
    }

    func withStore<Answer: Sendable>(
        _ body: (DirectoryFile) throws(StorageError) -> Answer
    ) throws(StorageError) -> Answer {
        try store.withLock { store throws(StorageError) in
            guard let store else { throw .closed }
            return try body(store)
        }
    }
}
