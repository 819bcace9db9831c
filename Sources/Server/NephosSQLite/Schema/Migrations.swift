import NephosStorage

/// One migration step of a file. Its identifier is stored in the file when it is done.
struct Migration: Sendable {
    let identifier: String
    let sql: String
}

/// The numbered steps from an empty file to the tables of this server.
struct Migrations: Sendable {
    /// The kind of file, for messages.
    let name: String
    let steps: [Migration]

    /// Where a file stores the identifiers of the steps that were done. Files have it under this name since the first server,
    /// and servers of earlier and later versions must find it, so it never changes.
    private static let table = "CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"

    /// Whether the file of `connection` has all steps.
    ///
    /// - Throws: ``StorageError/newer(_:)`` if it has steps that this server does not know.
    func areDone(_ connection: Connection) throws(StorageError) -> Bool {
        let isKept = "SELECT count(*) FROM sqlite_schema WHERE name = 'grdb_migrations'"
        guard try connection.number(isKept) == 1 else { return false }
        return try Set(steps.map(\.identifier)).isSubset(of: done(connection))
    }

    /// Runs the missing steps, each in its own transaction, so that a crash between two of them loses nothing.
    ///
    /// - Throws: The error of a step, which has no effect then, and ``StorageError/newer(_:)`` as in ``areDone(_:)``.
    func run(on connection: Connection) throws(StorageError) {
        for step in steps { try run(step, on: connection) }
    }

    /// Runs a step that is not done yet. The transaction includes the step's row, so a crash leaves both or neither; and it
    /// includes the check, so that the second of two concurrent processes finds the step done.
    ///
    /// Our tables have no foreign keys: references between records are ordinary rows, whose deletion is up to the domain. So
    /// a step may replace a table, and nothing needs to be turned off before or checked after it.
    private func run(_ step: Migration, on connection: Connection) throws(StorageError) {
        try connection.begin()
        do {
            try connection.execute(Self.table)
            if try !done(connection).contains(step.identifier) {
                try connection.execute(step.sql)
                try note(step, in: connection)
            }
            try connection.commit()
        } catch {
            connection.rollback()
            throw error
        }
    }

    private func note(_ step: Migration, in connection: Connection) throws(StorageError) {
        var cursor = try connection.once("INSERT INTO grdb_migrations (identifier) VALUES (?)")
        cursor.bind(step.identifier)
        try cursor.finish()
    }

    /// The steps that were done in a file.
    static func done(_ connection: Connection) throws(StorageError) -> Set<String> {
        var cursor = try connection.once("SELECT identifier FROM grdb_migrations")
        var done: Set<String> = []
        while try cursor.next() { done.insert(cursor.string(0)) }
        return done
    }

    private func done(_ connection: Connection) throws(StorageError) -> Set<String> {
        let done = try Self.done(connection)
        let known = steps.map(\.identifier)
        if let unknown = done.subtracting(known).filter({ Table.isNewer($0, than: known) }).min() {
            throw .newer("this \(name) file was created by a newer server (step '\(unknown)'): update the server")
        }
        return done
    }
}
