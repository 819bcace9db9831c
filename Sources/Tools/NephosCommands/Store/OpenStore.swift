import Foundation
import NephosRunner
import NephosSQLite
import NephosStorage

#if Postgres
    import NephosPostgres
#endif

/// What a command may choose of its store.
struct StoreSettings {
    /// Most connections to a database server. A command that ends soon needs few.
    var connections = 4
    /// The tables and rules of the program's features. Worked out when a store is opened: the parser makes these settings for each command
    /// that there is, whichever is meant.
    var tables: TableSet { Nephos.features.tables }
    /// Opens a store whose key is lost.
    var acceptsLostKey = false
    /// Told after each transaction what it carried. It must not wait.
    var committed: @Sendable (CommitReport) -> Void = { _ in }
}

/// A store that is open, of either kind.
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

    /// How many tenants are open.
    var openTenants: Int {
        switch self {
        case .sqlite(let engine): engine.openTenants
        #if Postgres
            case .postgres(let engine): engine.openTenants
        #endif
        }
    }

    /// Makes sure that this process may serve: a folder belongs to one server at a time; on a database there may be any
    /// number, if their clocks agree.
    ///
    /// - Returns: What must be kept while it serves.
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
        /// Servers whose clocks disagree would date records into the past of others.
        private static let clockDifferenceMax: Int64 = 5_000_000

        private static func compareClocks(_ engine: PostgresEngine) throws {
            guard let difference = try engine.clockDifference(ofMachine: WallClock.ofMachine) else { return }
            guard abs(difference) > clockDifferenceMax else { return }
            let seconds = String(format: "%.1f", Double(abs(difference)) / 1_000_000)
            throw Failure(
                """
                This machine's clock is \(seconds) s \(difference > 0 ? "behind" : "ahead of") the database's. More than \
                \(clockDifferenceMax / 1_000_000) s apart no server starts; let both machines take the time from the network.
                """)
        }
    #endif
}
