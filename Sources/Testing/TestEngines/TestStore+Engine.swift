import NephosSQLite
package import NephosStorage
package import NephosTesting
import Synchronization

#if Postgres
    import NephosPostgres
#endif

extension TestStore {
    /// Opens the store in this process. Each call returns another engine, as in another process; each must be closed.
    ///
    /// - Throws: ``StorageError``, ``NoSuchEngine``.
    ///
    /// - Parameters:
    ///   - keys: The keys that seal secrets; nil for those of tests, or for a folder its own.
    ///   - acceptsLostKey: Whether it opens without the key.
    ///   - acceptsUnfinishedCopy: Whether it opens what a copy has not filled yet.
    ///   - tables: Those that are described.
    ///   - committed: Called with the content of commits.
    package func open(
        keys: SecretKeys? = nil, acceptsLostKey: Bool = false, acceptsUnfinishedCopy: Bool = false,
        tables: TableSet = .server, committed: @escaping @Sendable (CommitReport) -> Void = { _ in }
    ) throws -> any StorageEngine {
        try openEngine(
            folder: data, url: url, keys: keys, acceptsLostKey: acceptsLostKey,
            acceptsUnfinishedCopy: acceptsUnfinishedCopy, tables: tables, committed: committed)
    }

    /// A store for tests that open it: with PostgreSQL, a database that already has its empty tables. Creating them takes longer
    /// than most tests, so they are created once, and copied.
    ///
    /// - Parameter tables: Those with which it will be opened.
    /// - Throws: As ``open()``, ``SystemError``, ``UnknownEngine``, ``NoTestPostgres``.
    package static func withTables(_ engine: TestEngine? = nil, _ tables: TableSet = .server) throws -> TestStore {
        guard try (engine ?? TestEngine.chosen) == .postgres else { return try TestStore(.sqlite) }
        let names = (tables.all + tables.directory).map { $0.table.name }
        return try made.withLock { made in
            if let made = made[Set(names)] { return made }
            let store = try TestStore(.postgres)
            try store.open(tables: tables).close()
            made[Set(names)] = store
            return store
        }.copy()
    }

    /// By the names of their tables.
    private static let made = Mutex<[Set<String>: TestStore]>([:])
}

/// Opens the engine of a folder, or that of the database `url`, if there is one.
///
/// - Throws: ``StorageError``, ``NoSuchEngine``.
package func openEngine(
    folder: String, url: String?, keys: SecretKeys? = nil, acceptsLostKey: Bool = false,
    acceptsUnfinishedCopy: Bool = false, tables: TableSet = .server,
    committed: @escaping @Sendable (CommitReport) -> Void = { _ in }
) throws -> any StorageEngine {
    guard let url else {
        var options = SQLiteOptions()
        options.tables = tables
        options.secretKeys = keys
        options.acceptsLostKey = acceptsLostKey
        options.acceptsUnfinishedCopy = acceptsUnfinishedCopy
        options.committed = committed
        return try SQLiteEngine(directory: folder, options: options)
    }
    #if Postgres
        var options = PostgresOptions()
        // Many tests run concurrently, and share one server.
        options.connections = 4
        options.tables = tables
        options.secretKeys = keys ?? .ofTests
        options.acceptsLostKey = acceptsLostKey
        options.acceptsUnfinishedCopy = acceptsUnfinishedCopy
        options.committed = committed
        return try PostgresEngine(ConnectionTarget(url: url), options: options)
    #else
        throw NoSuchEngine()
    #endif
}

extension SecretKeys {
    /// The keys that seal the secrets of test databases.
    package static let ofTests = SecretKeys([SecretKey(text: TestStore.secretKey)].compactMap { $0 }, from: "a test")
}

/// This build has no PostgreSQL engine (the trait Postgres).
package struct NoSuchEngine: Error {}
