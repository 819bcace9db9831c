import Dispatch
package import NephosStorage
import Synchronization

/// Tenants in the tables of one PostgreSQL database. Any number of processes may use it at the same time.
package final class PostgresEngine: StorageEngine {
    let pool: ConnectionPool
    let list: TenantList
    let tables: TableSet
    package let jobs: any JobStore
    private let tenants: OpenTenants<PostgresTenantStore>
    private let commits: CommitQueue
    private let target: ConnectionTarget
    private let news = NewsBroadcaster()
    private let listening = Mutex<NewsConnection?>(nil)
    private let received = ReceivedNotifications()
    package let secretKeys: SecretKeys

    /// Opens a database, and creates or migrates its tables if necessary.
    ///
    /// - Throws: ``StorageError/newer(_:)`` when a newer server made them; ``StorageError/unavailable(_:)``;
    ///   ``StorageError/unfinishedCopy``;
    ///   ``StorageError/failed(_:)`` when the server is not one that Nephos can use, or does not permit it.
    package init(
        _ target: ConnectionTarget, options: PostgresOptions = PostgresOptions()
    ) throws(StorageError) {
        self.target = target
        pool = ConnectionPool(target, limit: options.connections, recording: options.recording)
        try pool.withConnection { connection throws(StorageError) in
            try Migrations.all(options.tables).run(
                on: connection, schema: target.schema,
                MigrationWait(most: options.migrationWait, note: options.note))
        }
        tables = options.tables
        list = TenantList(pool)
        if !options.acceptsUnfinishedCopy, try list.copiedFrom() != 0 { throw .unfinishedCopy }
        secretKeys = options.acceptsLostKey ? options.secretKeys.acceptingLoss : options.secretKeys
        let names = try list.nameFirst(secretKeys.newest)
        if !options.acceptsLostKey {
            _ = try secretKeys.key(named: names.key)
            _ = try secretKeys.key(named: names.next)
        }
        jobs = PostgresJobs(pool: pool)
        commits = CommitQueue(
            workers: options.connections / 2, limit: options.waitingCommits, label: "nephos.postgres.commits",
            committed: options.committed)
        tenants = OpenTenants(limit: options.openTenants)
    }

    package var name: String { "postgres" }
    package var readsWait: Bool { true }

    package func probe() throws(StorageError) { try list.probe() }

    package func clockDifference(ofMachine: @Sendable () -> Int64) throws(StorageError) -> Int64? {
        try pool.withConnectionRetrying { connection throws(StorageError) in
            var most = Int64.min
            // The database reads its clock before its response arrives, so each difference is a lower bound; the fastest
            // response gives the best.
            for _ in 0..<3 { most = max(most, try ServerRequirements.time(connection) - ofMachine()) }
            return most
        }
    }

    /// Transactions that were committed, for tests.
    package var transactions: Int { commits.transactions.load(ordering: .relaxed) }

    /// Commits that are not completed yet, for tests.
    var waitingCommits: Int { commits.waitingCount }

    /// How often transactions waited for the database, for tests and statistics.
    package var roundTrips: Int { pool.roundTrips.load(ordering: .relaxed) }

    // MARK: Tenants

    /// The number of cached tenants.
    package var openTenants: Int { tenants.count }

    package func opened(_ tenant: Tenant) -> (any TenantStore)? { tenants[tenant] }

    package func open(_ tenant: Tenant) throws(StorageError) -> (any TenantStore)? {
        if let store = tenants[tenant] { return store }
        // Looked up before other callers are blocked: clients may request a container that does not exist.
        guard let number = try list.number(of: tenant) else { return nil }
        return try tenants.open(tenant) {
            PostgresTenantStore(
                tenant, number, pool, commits, tables, secretKeys, channel: target.channelName, news: news)
        }
    }

    package func news(of topics: [Tenant: Set<Topic>]) throws(StorageError) -> [Tenant: TenantNews] {
        try NewsPoll(topics).news(pool, known: { tenants[$0]?.number }, isAnother: { forget($0.container) })
    }

    // MARK: News

    package func listen(_ listener: @escaping @Sendable (StorageNews) -> Void) {
        news.add(listener)
        listening.withLock { listening in
            if listening == nil { listening = NewsConnection(target) { [weak self] in self?.receive($0) } }
        }
    }

    /// Handles a notification of another process, or of this one: then listeners are notified twice, which is harmless.
    private func receive(_ payload: String) {
        guard let notification = received.notification(payload, secretKeys) else { return }
        // For a tenant that this process has not opened, no client waits here.
        for store in tenants.all where store.number.value == notification.tenant {
            news.notify([.deliveries(store.tenant, to: notification.devices)])
        }
    }

    // MARK: Directory

    package var directory: any DirectoryStore { PostgresDirectory(engine: self) }

    /// Drops what this process caches of a container that was deleted, or is created again.
    func forget(_ container: String) { tenants.forget(container: container) }

    // MARK: Closing

    package func close() {
        listening.withLock { $0?.close() }
        // A commit that waits for a standby may wait forever.
        commits.close(patience: .seconds(30))
        _ = tenants.closeAll()
        pool.close()
    }
}
