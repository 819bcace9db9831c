package import NephosStorage

/// One tenant in one SQLite file.
///
/// Nothing is cached between transactions except the catalog, by its version: other processes may write the same file at any time.
package final class SQLiteTenantStore: TenantStore, OpenStore {
    package let tenant: Tenant
    let path: String
    let readers: ReaderPool
    let commits: CommitQueue
    let writer: WriteSession
    let tables: TableSet
    private let catalogs: CatalogCache
    private let news: NewsBroadcaster

    /// Opens the tenant's file, and runs its missing migrations.
    ///
    /// - Throws: ``StorageError/corrupt(_:)`` if the file does not exist; ``StorageError/newer(_:)``;
    ///   ``StorageError/noSuchTenant`` if the container was deleted.
    ///
    /// - Parameter secretKey: The key under which secrets of a file of an earlier version are sealed; nil leaves them unchanged.
    init(
        tenant: Tenant, in directory: DataDirectory, options: SQLiteOptions, _ keys: SecretKeys,
        sealing secretKey: SecretKey?, news: NewsBroadcaster = NewsBroadcaster()
    ) throws(StorageError) {
        self.tenant = tenant
        catalogs = CatalogCache(keys, options.tables)
        self.news = news
        path = directory.tenant(tenant)
        guard try FileSystem.exists(path) else { throw .corrupt("the file of \(tenant) is missing: \(path)") }
        tables = options.tables
        let connection = try StoreFile.open(path, .tenant(tables), in: directory)
        if let secretKey { try OldSecrets(connection, tables, secretKey).seal() }
        writer = WriteSession(connection, catalogs, tables)
        commits = CommitQueue(
            workers: 1, limit: options.waitingCommits, label: "nephos.\(tenant)",
            groupMilliseconds: options.groupMilliseconds, committed: options.committed)
        readers = ReaderPool(path: path, limit: options.idleReaders)
        let head = try read(ReadSet()).catalog.head
        if !options.acceptsLostKey { _ = try keys.key(named: head.sealing.key) }
    }

    package var described: TableSet { tables }

    package var readsWait: Bool { false }

    package var isGone: Bool { catalogs.isGone }

    package func read(_ set: ReadSet) throws(StorageError) -> Reading {
        let cache = catalogs
        return try readers.read { reader throws(StorageError) in
            var reading = Reading(catalog: try cache.catalog(reader.catalogs.catalog))
            try reader.load(set, into: &reading)
            try reading.openSecrets(by: cache.keys)
            return reading
        }
    }

    /// The news of the newest snapshot.
    func news(of topics: Set<Topic>) throws(StorageError) -> TenantNews {
        try readers.read { reader throws(StorageError) in
            let stamp = try catalogs.noticing { () throws(StorageError) in try reader.catalogs.stamp() }
            return TenantNews(
                catalogVersion: stamp.version, endedSessions: stamp.endedSessions,
                numbers: try reader.tables.rows(NewsRow.of(topics)).numbers)
        }
    }

    package func commit<Answer: Sendable>(
        _ set: ReadSet,
        decide: @escaping @Sendable (Reading) throws -> Decision<Answer>,
        completion: @escaping @Sendable (Result<Answer, any Error>) -> Void
    ) {
        commits.add(PendingDecision(set, decide, completion, notify: news.notify), to: writer)
    }

    /// Runs work of the engine in its own transaction, after the commits that are waiting.
    func perform<Answer: Sendable>(
        _ work: @escaping @Sendable (WriteSession) throws(StorageError) -> Answer
    ) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            commits.add(Chore(work) { continuation.resume(with: $0) }, to: writer)
        }
    }

    /// Completes all waiting commits, then closes the file. Blocks.
    func close() {
        // The writer is closed last, so that it is the last connection and empties the log.
        readers.close()
        commits.close()
        writer.connection.close()
    }

    /// Marks a tenant as deleted, for every process at its next snapshot.
    static func markDeleted(
        _ tenant: Tenant, in directory: DataDirectory, _ tables: TableSet, at time: Milliseconds
    ) throws(StorageError) {
        let file = try StoreFile.open(directory.tenant(tenant), .tenant(tables), in: directory)
        try file.transaction { connection throws(StorageError) in
            let head = try CatalogReader(connection: connection).head()
            guard head.deletedAt == 0 else { return }
            try TenantWriter(connection, tables).catalogs.markDeleted(head, at: time)
        }
    }
}
