package import NephosStorage
import Synchronization

/// Tenants in the tables of one PostgreSQL database. Any number of processes may use it at once.
package final class PostgresEngine: StorageEngine {
    let pool: ConnectionPool
    let directory: DirectoryStore
    let tables: TenantTables
    package let jobs: any JobStore
    private let tenants: OpenTenants<PostgresTenantStore>
    private let commits: CommitQueue
    private let target: ConnectionTarget
    private let news = NewsDesk()
    private let listening = Mutex<NewsConnection?>(nil)
    package let secretKeys: SecretKeys

    /// Opens a database, and makes or changes its tables if it must.
    ///
    /// - Throws: ``StorageError/newer(_:)`` when a newer server made them; ``StorageError/unavailable(_:)``;
    ///   ``StorageError/failed(_:)`` when the server is not one that Nephos can use, or does not permit it.
    package init(
        _ target: ConnectionTarget, options: PostgresOptions = PostgresOptions()
    ) throws(StorageError) {
        self.target = target
        pool = ConnectionPool(target, limit: options.connections, recording: options.recording)
        try pool.withConnection { connection throws(StorageError) in
            try Migrations.all(options.tables).run(on: connection, schema: target.schema)
        }
        tables = TenantTables(options.tables)
        directory = DirectoryStore(pool)
        secretKeys = options.secretKeys
        let names = try directory.nameFirst(secretKeys.newest)
        if !options.acceptsLostKey {
            _ = try secretKeys.key(named: names.key)
            _ = try secretKeys.key(named: names.next)
        }
        jobs = PostgresJobs(pool)
        commits = CommitQueue(
            pool, workers: options.connections / 2, limit: options.waitingCommits, committed: options.committed)
        tenants = OpenTenants(limit: options.openTenants)
    }

    package var name: String { "postgres" }
    package var readsWait: Bool { true }

    package func probe() throws(StorageError) { try directory.probe() }

    /// Milliseconds that the database's clock is ahead of this machine's.
    package func clockDifference(now: @Sendable () -> Milliseconds) throws(StorageError) -> Milliseconds {
        try pool.withConnectionRetrying { connection throws(StorageError) in
            // Half of the way there and back is the best guess of when the database looked.
            let before = now()
            let time = try ServerRequirements.time(connection)
            return time - (before + now()) / 2
        }
    }

    /// Transactions that were committed, for tests.
    package var transactions: Int { commits.transactions.load(ordering: .relaxed) }

    /// Commits that were not answered yet, for tests.
    var waitingCommits: Int { commits.waitingCount }

    /// How often transactions waited for the database, for tests and figures.
    package var roundTrips: Int { pool.roundTrips.load(ordering: .relaxed) }

    // MARK: Tenants

    /// How many are remembered.
    package var openTenants: Int { tenants.count }

    package func opened(_ tenant: Tenant) -> (any TenantStore)? { tenants[tenant] }

    package func open(_ tenant: Tenant) throws(StorageError) -> (any TenantStore)? {
        if let store = tenants[tenant] { return store }
        // Asked before the others are kept waiting: anybody may name a container that is not there.
        guard let number = try directory.number(of: tenant) else { return nil }
        return try tenants.open(tenant) {
            PostgresTenantStore(
                tenant, number, pool, commits, tables, secretKeys, channel: target.channelName, news: news)
        }
    }

    package func catalogVersions(of tenants: [Tenant]) throws(StorageError) -> [Tenant: Int64] {
        try directory.catalogVersions(of: tenants)
    }

    // MARK: News

    package func listen(_ listener: @escaping @Sendable (StorageNews) -> Void) {
        news.add(listener)
        listening.withLock { listening in
            if listening == nil { listening = NewsConnection(target) { [weak self] in self?.heard($0) } }
        }
    }

    /// What another process notified, or this one: whoever listens is told twice then, and does no more for that.
    private func heard(_ payload: String) {
        guard let notification = Notification(payload) else { return }
        // A tenant that this process has not opened has nobody who waits here.
        for store in tenants.all where store.number.value == notification.tenant {
            news.tell([.deliveries(store.tenant, to: notification.devices)])
        }
    }

    // MARK: Containers

    package func createContainer(_ row: ContainerRow, seeds: [TenantSeed]) throws(StorageError) {
        try directory.create(row, seeds, secretKeys)
        tenants.forget(container: row.id)
    }

    package func containers() throws(StorageError) -> [ContainerRow] { try directory.containers() }

    package func deleteContainer(_ id: String, at time: Milliseconds) throws(StorageError) {
        try directory.delete(id, at: time)
        tenants.forget(container: id)
        // It is deleted. Its rows go now if they can, else as background work.
        do throws(StorageError) {
            while try sweepDeletedContainers(rows: 1_000) {}
        } catch {
            guard case .failed = error else { return }
            throw error
        }
    }

    // MARK: Accounts

    package func createAccount(_ row: AccountRow) throws(StorageError) { try directory.create(row) }

    package func account(email: String) throws(StorageError) -> AccountRow? { try directory.account(email: email) }

    package func account(id: String) throws(StorageError) -> AccountRow? { try directory.account(id: id) }

    package func accounts(after email: String?, limit: Int) throws(StorageError) -> [AccountRow] {
        try directory.accounts(after: email ?? "", limit: limit)
    }

    // MARK: Whole

    package func close() {
        listening.withLock { $0?.close() }
        commits.close()
        _ = tenants.closeAll()
        pool.close()
    }
}
