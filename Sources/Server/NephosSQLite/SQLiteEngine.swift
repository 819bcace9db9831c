import CSQLite
package import NephosStorage
import Synchronization

/// Tenants in SQLite files below one folder.
///
/// Several processes may use the folder at once: a server, and the command beside it.
package final class SQLiteEngine: StorageEngine {
    let directory: DataDirectory
    let options: SQLiteOptions
    private let store: Mutex<DirectoryStore?>
    private let tenants: OpenTenants<SQLiteTenantStore>
    private let news = NewsDesk()
    private let jobTable: SQLiteJobs
    package let secretKeys: SecretKeys

    /// Once a process. Where something used SQLite before, it is refused, and costs some speed.
    private static let libraryIsConfigured = sqlite3_config_without_memory_statistics() == 0

    /// Whether a folder is a data folder. - Throws: ``StorageError/denied(_:)`` where nobody lets us look.
    package static func isStore(_ path: String) throws(StorageError) -> Bool {
        try FileSystem.exists(DataDirectory(path).directoryFile)
    }

    /// Opens a data folder, or makes one.
    ///
    /// - Throws: ``StorageError/newer(_:)`` when a newer server made it.
    package init(directory path: String, options: SQLiteOptions = SQLiteOptions()) throws(StorageError) {
        _ = Self.libraryIsConfigured
        directory = DataDirectory(path)
        self.options = options
        try FileSystem.makeFolder(directory.containers)
        let store = try DirectoryStore(directory)
        secretKeys = try FolderKeys(directory, store, options).find()
        self.store = Mutex(store)
        tenants = OpenTenants(limit: options.openTenants)
        jobTable = try SQLiteJobs(directory)
        try tidy()
    }

    /// Ends what a process that died had begun: deletions are carried out, creations that were not listed go.
    private func tidy() throws(StorageError) {
        try withStore { store throws(StorageError) in
            guard try folders.haveLeftovers(listed: Self.ids(store)) else { return }
            try store.write { () throws(StorageError) in
                for row in try store.containers() {
                    guard try folders.isBeingDeleted(row.id) else { continue }
                    try unlist(row, store, at: max(row.createdAt, 1))
                }
            }
            try store.write { () throws(StorageError) in
                try folders.retireUnlisted(listed: Self.ids(store))
                try folders.removeLeftovers()
            }
        }
    }

    private static func ids(_ store: DirectoryStore) throws(StorageError) -> Set<String> {
        Set(try store.containers().map(\.id))
    }

    package var name: String { "sqlite" }
    package var readsWait: Bool { false }

    package func probe() throws(StorageError) {
        try withStore { store throws(StorageError) in _ = try store.digest() }
    }

    /// Takes the right to serve this folder, for as long as the lock is kept.
    ///
    /// - Throws: ``StorageError/failed(_:)`` with a clear text when another process has it.
    package func lockForServing() throws(StorageError) -> ServeLock {
        let lock = try ServeLock(directory)
        try jobTable.endLeases()
        return lock
    }

    package var jobs: any JobStore { jobTable }

    /// A container goes with its folder, and all at once.
    package func sweepDeletedContainers(rows: Int) throws(StorageError) -> Bool { false }

    package func listen(_ listener: @escaping @Sendable (StorageNews) -> Void) { news.add(listener) }

    // MARK: Tenants

    /// How many are open.
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
                tenant: tenant, in: directory, options: options, secretKeys, sealing: secretKeys[names.current],
                news: news)
        } catch {
            // A deletion is under way, or died half way.
            if error == .noSuchTenant { return nil }
            throw error
        }
    }

    package func catalogVersions(of tenants: [Tenant]) throws(StorageError) -> [Tenant: Int64] {
        var versions: [Tenant: Int64] = [:]
        for tenant in tenants {
            do throws(StorageError) {
                versions[tenant] = try store(of: tenant)?.catalogVersion()
            } catch {
                guard error.isOfOneTenant else { throw error }
            }
        }
        return versions
    }

    // MARK: Containers

    package func createContainer(_ row: ContainerRow, seeds: [TenantSeed]) throws(StorageError) {
        guard DataDirectory.isSafe(row.id) else { throw .failed("'\(row.id)' cannot be the name of a folder") }
        try withStore { store throws(StorageError) in
            try store.write { () throws(StorageError) in
                guard try store.container(row.id) == nil else { throw .exists }
                try folders.removeLeftovers()
                let key = try secretKeys.key(named: store.secretNames().current)
                try folders.make(row.id, try seeds.map { seed throws(StorageError) in try seed.sealed(under: key) })
                try store.insert(row)
            }
        }
        tenants.forget(container: row.id)
    }

    package func containers() throws(StorageError) -> [ContainerRow] {
        try withStore { store throws(StorageError) in try store.containers() }
    }

    package func deleteContainer(_ id: String, at time: Milliseconds) throws(StorageError) {
        try withStore { store throws(StorageError) in
            try store.write { () throws(StorageError) in
                guard let row = try store.container(id) else { throw .noSuchTenant }
                try folders.announceDeletion(of: id)
                try unlist(row, store, at: time)
            }
            // The folder goes when the list without it is on the disk: whatever is listed has its folder.
            try store.write { () throws(StorageError) in
                if try store.container(id) == nil { try folders.retire(id) }
                try folders.removeLeftovers()
            }
        }
        tenants.forget(container: id)
    }

    /// Marks a container's tenants as deleted, for every process that has them open, and takes it from the list.
    private func unlist(
        _ row: ContainerRow, _ store: DirectoryStore, at time: Milliseconds
    ) throws(StorageError) {
        for environment in Environment.allCases {
            try markDeleted(Tenant(container: row.id, environment: environment), at: time)
        }
        try store.remove(row)
    }

    private func markDeleted(_ tenant: Tenant, at time: Milliseconds) throws(StorageError) {
        guard try FileSystem.exists(directory.tenant(tenant)) else { return }
        do throws(StorageError) {
            try SQLiteTenantStore.markDeleted(tenant, in: directory, options.tables, at: time)
        } catch {
            // A file that cannot be read serves nobody, and must not stop its own deletion.
            guard case .corrupt = error else { throw error }
        }
    }

    private var folders: ContainerFolders { ContainerFolders(directory: directory, tables: options.tables) }

    // MARK: Accounts

    package func createAccount(_ row: AccountRow) throws(StorageError) {
        try withStore { store throws(StorageError) in
            try store.write { () throws(StorageError) in
                guard try store.account(email: row.email) == nil, try store.account(id: row.id) == nil else {
                    throw .exists
                }
                try store.insert(row)
            }
        }
    }

    package func account(email: String) throws(StorageError) -> AccountRow? {
        try withStore { store throws(StorageError) in try store.account(email: email) }
    }

    package func account(id: String) throws(StorageError) -> AccountRow? {
        try withStore { store throws(StorageError) in try store.account(id: id) }
    }

    package func accounts(after email: String?, limit: Int) throws(StorageError) -> [AccountRow] {
        try withStore { store throws(StorageError) in try store.accounts(after: email ?? "", limit: limit) }
    }

    // MARK: Whole

    package func checkDirectory() throws(StorageError) -> [CheckFinding] {
        try withStore { store throws(StorageError) in try DirectoryCheck(store, folders).run() }
    }

    package func close() {
        for store in tenants.closeAll() { store.close() }
        jobTable.close()
        store.withLock { $0 = nil }
    }

    func withStore<Answer: Sendable>(
        _ body: (DirectoryStore) throws(StorageError) -> Answer
    ) throws(StorageError) -> Answer {
        try store.withLock { store throws(StorageError) in
            guard let store else { throw .closed }
            return try body(store)
        }
    }
}
