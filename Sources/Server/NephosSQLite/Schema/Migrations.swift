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

    /// Where a file keeps the identifiers of the steps that were done. Files have it under this name since the first
    /// server, and servers of before and after must find it: it stays as it is.
    private static let table = "CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"

    /// Whether the file behind `connection` has all steps.
    ///
    /// - Throws: ``StorageError/newer(_:)`` when it has steps that this server does not know.
    func areDone(_ connection: Connection) throws(StorageError) -> Bool {
        let isKept = "SELECT count(*) FROM sqlite_schema WHERE name = 'grdb_migrations'"
        guard try connection.number(isKept) == 1 else { return false }
        return try Set(steps.map(\.identifier)).isSubset(of: done(connection))
    }

    /// Does the missing steps, each in its own transaction, so that a crash between two of them loses nothing.
    ///
    /// - Throws: What a step throws, which leaves nothing of itself then, and ``StorageError/newer(_:)`` as
    ///   ``areDone(_:)`` does.
    func run(on connection: Connection) throws(StorageError) {
        for step in steps { try run(step, on: connection) }
    }

    /// Does a step that is not done yet. The transaction has the step's row too, so a crash leaves both or neither; and it
    /// has the question, so of two processes that ask at once the second one finds the step done.
    ///
    /// Our tables have no foreign keys: what a record refers to is a row like any other, and a deletion leaves it to the
    /// domain. So a step may replace a table, and nothing is to be turned off before or checked behind it.
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

    /// The steps that a file has.
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
            throw .newer("this \(name) file was made by a newer server (step '\(unknown)'): update the server")
        }
        return done
    }
}
