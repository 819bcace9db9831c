import GRDB
import NephosStorage

/// One step of a file's tables. Its identifier is stored in the file when it was done.
struct Migration: Sendable {
    let identifier: String
    let sql: String
}

/// The numbered steps that lead from an empty file to the tables this server knows.
struct Migrations: Sendable {
    /// What kind of file, for messages.
    let name: String
    let steps: [Migration]

    /// Whether the file behind `connection` has all steps.
    ///
    /// - Throws: ``StorageError/newer(_:)`` when it has steps that this server does not know.
    func areDone(_ connection: Connection) throws(StorageError) -> Bool {
        let isKept = "SELECT count(*) FROM sqlite_schema WHERE name = 'grdb_migrations'"
        guard try connection.number(isKept) == 1 else { return false }
        var cursor = try connection.once("SELECT identifier FROM grdb_migrations")
        var done: Set<String> = []
        while try cursor.next() { done.insert(cursor.string(0)) }
        let known = Set(steps.map(\.identifier))
        if let unknown = done.subtracting(known).min() {
            throw .newer("this \(name) file was made by a newer server (step '\(unknown)'): update the server")
        }
        return done.count == known.count
    }

    /// Does the missing steps, each in its own transaction, so that a crash between two of them loses nothing.
    ///
    /// - Parameter settings: Pragmas to run before.
    func run(at path: String, settings: [String]) throws(StorageError) {
        var migrator = DatabaseMigrator()
        for step in steps {
            migrator.registerMigration(step.identifier) { try $0.execute(sql: step.sql) }
        }
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase { database in
            for setting in settings { try database.execute(sql: setting) }
        }
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try migrator.migrate(queue)
            try queue.close()
        } catch let error as DatabaseError {
            throw StorageError(sqlite: error.extendedResultCode.rawValue, message: error.message ?? "migration")
        } catch {
            throw .failed("migration of a \(name) file: \(error)")
        }
    }
}
