import NephosSQLite
package import NephosStorage
package import NephosTesting
import Synchronization

#if Postgres
    import NephosPostgres
#endif

extension TestStore {
    /// Opens the store in this process. Whoever calls again gets another engine, as another process would have one; each
    /// must be closed.
    ///
    /// - Throws: ``StorageError``, ``NoSuchEngine``.
    package func open() throws -> any StorageEngine { try openEngine(folder: data, url: url) }

    /// A store for tests that open it: with PostgreSQL, a database that has its tables already, and nothing in them. To make
    /// them takes longer than most tests, so they are made once, and copied.
    ///
    /// - Throws: As ``open()``, ``SystemError``, ``UnknownEngine``, ``NoTestPostgres``.
    package static func withTables(_ engine: TestEngine? = nil) throws -> TestStore {
        guard try (engine ?? TestEngine.chosen) == .postgres else { return try TestStore(.sqlite) }
        return try made.withLock { made in
            if let made { return made }
            let store = try TestStore(.postgres)
            try store.open().close()
            made = store
            return store
        }.copy()
    }

    private static let made = Mutex<TestStore?>(nil)
}

/// Opens the engine of a folder, or that of the database `url`, where there is one.
///
/// - Throws: ``StorageError``, ``NoSuchEngine``.
package func openEngine(folder: String, url: String?) throws -> any StorageEngine {
    guard let url else { return try SQLiteEngine(directory: folder) }
    #if Postgres
        var options = PostgresOptions()
        // Many tests run at once, and share one server.
        options.connections = 4
        return try PostgresEngine(ConnectionTarget(url: url), options: options)
    #else
        throw NoSuchEngine()
    #endif
}

/// This build has no PostgreSQL engine (the trait Postgres).
package struct NoSuchEngine: Error {}
