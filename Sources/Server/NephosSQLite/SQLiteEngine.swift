public import NephosStorage
import Synchronization

/// Tenants in SQLite files below one folder.
///
/// Several processes may use the folder at once: a server, and the command beside it.
public final class SQLiteEngine: StorageEngine {
    let directory: DataDirectory
    let options: SQLiteOptions
    private let store: Mutex<DirectoryStore?>
    private let tenants: OpenTenants

    /// Opens a data folder, or makes one.
    ///
    /// - Throws: ``StorageError/newer(_:)`` when a newer server made it.
    public init(directory path: String, options: SQLiteOptions = SQLiteOptions()) throws(StorageError) {
        directory = DataDirectory(path)
        self.options = options
        try FileSystem.makeFolder(directory.containers)
        store = Mutex(try DirectoryStore(directory))
        tenants = OpenTenants(limit: options.openTenants)
        try removeLeftoversIfAny()
    }

    public var name: String { "sqlite" }

    /// Takes the right to serve this folder, for as long as the lock is kept.
    ///
    /// - Throws: ``StorageError/failed(_:)`` with a clear text when another process has it.
    public func lockForServing() throws(StorageError) -> ServeLock { try ServeLock(directory) }

    // MARK: Tenants

    public func opened(_ tenant: Tenant) -> (any TenantStore)? { tenants[tenant] }

    public func open(_ tenant: Tenant) throws(StorageError) -> (any TenantStore)? {
        guard DataDirectory.isSafe(tenant.container) else { return nil }
        return try tenants.open(tenant) { () throws(StorageError) in try openFile(tenant) }
    }

    private func openFile(_ tenant: Tenant) throws(StorageError) -> SQLiteTenantStore? {
        let isListed = try withStore { store throws(StorageError) in try store.container(tenant.container) != nil }
        guard isListed else { return nil }
        do { return try SQLiteTenantStore(tenant: tenant, in: directory, options: options) } catch {
            // A deletion is under way, or died half way.
            if error == .noSuchTenant { return nil }
            throw error
        }
    }

    // MARK: Containers

    public func createContainer(_ row: ContainerRow, seeds: [TenantSeed]) throws(StorageError) {
        guard DataDirectory.isSafe(row.id) else { throw .failed("'\(row.id)' cannot be the name of a folder") }
        try withStore { store throws(StorageError) in
            try store.write { () throws(StorageError) in
                guard try store.container(row.id) == nil else { throw .exists }
                try removeLeftovers(store)
                let new = directory.passing(.new)
                try makeTenants(seeds, in: new)
                try FileSystem.move(new, to: directory.container(row.id))
                try store.insert(row)
            }
        }
        tenants.forget(container: row.id)
    }

    private func makeTenants(_ seeds: [TenantSeed], in folder: String) throws(StorageError) {
        try FileSystem.makeFolder(folder)
        for seed in seeds {
            let file = DataDirectory.file(of: seed.head.tenant.environment, in: folder)
            try StoreFile.make(file, .tenant) { connection throws(StorageError) in
                try TenantWriter(connection).seed(seed)
            }
        }
        try FileSystem.synchronize(folder)
    }

    public func containers() throws(StorageError) -> [ContainerRow] {
        try withStore { store throws(StorageError) in try store.containers() }
    }

    public func deleteContainer(_ id: String, at time: Milliseconds) throws(StorageError) {
        try withStore { store throws(StorageError) in
            try store.write { () throws(StorageError) in
                guard let row = try store.container(id) else { throw .noSuchTenant }
                for environment in Environment.allCases {
                    let tenant = Tenant(container: id, environment: environment)
                    guard FileSystem.exists(directory.tenant(tenant)) else { continue }
                    try SQLiteTenantStore.markDeleted(tenant, in: directory, at: time)
                }
                try store.remove(row)
            }
        }
        tenants.forget(container: id)
        try removeLeftoversIfAny()
    }

    private func removeLeftoversIfAny() throws(StorageError) {
        try withStore { store throws(StorageError) in
            let listed = Set(try store.containers().map(\.id))
            guard try FileSystem.list(directory.containers).contains(where: { !listed.contains($0) }) else { return }
            try store.write { () throws(StorageError) in try removeLeftovers(store) }
        }
    }

    /// Removes folders without a row: of creations that died before it, and of deletions that died after it.
    ///
    /// A folder first goes out of the way in one step. Connections that other processes still have keep their
    /// files, which have no name any more, so that a new container of the same id is safe from them.
    ///
    /// Only in a transaction of `store`, so that nobody is between making a folder and its row.
    private func removeLeftovers(_ store: DirectoryStore) throws(StorageError) {
        let listed = Set(try store.containers().map(\.id))
        for name in try FileSystem.list(directory.containers) where !listed.contains(name) {
            let gone = directory.passing(.gone)
            try FileSystem.move("\(directory.containers)/\(name)", to: gone)
            try FileSystem.removeFolder(gone)
        }
    }

    // MARK: Accounts

    public func createAccount(_ row: AccountRow) throws(StorageError) {
        try withStore { store throws(StorageError) in
            try store.write { () throws(StorageError) in
                guard try store.account(email: row.email) == nil, try store.account(id: row.id) == nil else {
                    throw .exists
                }
                try store.insert(row)
            }
        }
    }

    public func account(email: String) throws(StorageError) -> AccountRow? {
        try withStore { store throws(StorageError) in try store.account(email: email) }
    }

    public func account(id: String) throws(StorageError) -> AccountRow? {
        try withStore { store throws(StorageError) in try store.account(id: id) }
    }

    // MARK: Whole

    public func checkDirectory() throws(StorageError) -> [CheckFinding] {
        try withStore { store throws(StorageError) in try DirectoryCheck(store).run() }
    }

    public func close() {
        for store in tenants.closeAll() { store.close() }
        store.withLock { $0 = nil }
    }

    private func withStore<Answer: Sendable>(
        _ body: (DirectoryStore) throws(StorageError) -> Answer
    ) throws(StorageError) -> Answer {
        try store.withLock { store throws(StorageError) in
            guard let store else { throw .closed }
            return try body(store)
        }
    }
}
