import Foundation
import NephosRunner
import NephosSQLite
import NephosStorage

#if Postgres
    import NephosPostgres
#endif

/// The settings with which a command opens its store.
struct StoreSettings {
    /// Maximum number of connections to a database server. Short-lived commands need few.
    var connections = 4
    /// The tables and rules of the program's features. Computed when a store is opened, because the parser creates these settings
    /// for every command, whichever is run.
    var tables: TableSet { Nephos.features.tables }
    /// Opens a store even if its key is lost.
    var acceptsLostKey = false
    /// The keys that the environment names, read by whoever runs the command; nil for the folder's own.
    var secretKeys: Result<SecretKeys?, Failure> = .success(nil)
    /// Called before the process becomes the owner of a folder, for what it can do only before.
    var beforeEntering: @Sendable (FolderUser) throws(Failure) -> Void = { _ in }
    /// Called after each transaction with a report of its content. Must not block.
    var committed: @Sendable (CommitReport) -> Void = { _ in }
}

/// An open store, of either kind.
enum OpenStore {
    case sqlite(SQLiteEngine)
    #if Postgres
        case postgres(PostgresEngine)
    #endif

    var engine: any StorageEngine {
        switch self {
        case .sqlite(let engine): engine
        #if Postgres
            case .postgres(let engine): engine
        #endif
        }
    }

    /// The number of open tenants.
    var openTenants: Int {
        switch self {
        case .sqlite(let engine): engine.openTenants
        #if Postgres
            case .postgres(let engine): engine.openTenants
        #endif
        }
    }

    /// Ensures that this process may serve: a folder can be used by one server at a time; a database by any number, if their clocks
    /// agree.
    ///
    /// - Returns: A lock to hold while serving.
    /// - Throws: ``Failure``, ``StorageError``.
    func prepareServing() throws -> ServeLock? {
        switch self {
        case .sqlite(let engine): return try OpenStore.lock(engine)
        #if Postgres
            case .postgres(let engine):
                try OpenStore.compareClocks(engine)
                return nil
        #endif
        }
    }

    private static func lock(_ engine: SQLiteEngine) throws -> ServeLock {
        do throws(StorageError) {
            return try engine.lockForServing()
        } catch {
            guard case .failed(let reason) = error else { throw error }
            throw Failure("\(reason).")
        }
    }

    #if Postgres
        /// In microseconds. With a larger difference, a server would date records into the past of other servers.
        private static let clockDifferenceMax: Int64 = 5_000_000

        private static func compareClocks(_ engine: PostgresEngine) throws {
            guard let difference = try engine.clockDifference(ofMachine: WallClock.ofMachine) else { return }
            guard abs(difference) > clockDifferenceMax else { return }
            let seconds = String(format: "%.1f", Double(abs(difference)) / 1_000_000)
            throw Failure(
                """
                This machine's clock is \(seconds) s \(difference > 0 ? "behind" : "ahead of") the database's. A server starts only \
                if they differ by at most \(clockDifferenceMax / 1_000_000) s; synchronize both clocks over the network.
                """)
        }
    #endif
}
