import NephosStorage

/// One migration step of the tables. Its identifier is stored in the database when it is done.
struct Migration: Sendable {
    let identifier: String
    let sql: String
}

/// The numbered steps from an empty database to the tables of this server.
struct Migrations: Sendable {
    let steps: [Migration]

    /// Runs the missing steps, all in one transaction, and under a lock: of many servers that start at the same time one runs
    /// them, and the others wait. If the database distributes tables over nodes, those that the steps create are distributed
    /// as well, like the existing ones.
    ///
    /// - Throws: ``StorageError/newer(_:)`` if the database has steps that this server does not know.
    func run(on connection: Connection, schema: String) throws(StorageError) {
        let done = try done(connection, schema)
        if let done, try missing(done).isEmpty { return }
        let transaction = Transaction(connection, .begin)
        for limit in ["lock_timeout", "statement_timeout"] {
            // Large tables take time, and other servers wait for the one that changes them.
            transaction.later(Statement("SET LOCAL \(limit) = 0"))
        }
        transaction.later(Self.lock, Self.lockNumber)
        transaction.later(Statement(#"CREATE SCHEMA IF NOT EXISTS "\#(schema)""#))
        transaction.later(Statement(Self.list))
        do throws(StorageError) {
            let answers = Array(try transaction.run([Call(Statement(Self.read)), Call(Self.isDistributed)]))
            guard answers.count == 2 else { throw .failed("the list of migrations was not read") }
            let known = Set(try answers[0].map { row throws(StorageError) in row.string(0) })
            let missing = try missing(known)
            for step in missing {
                // A call contains one statement.
                for statement in step.sql.split(separator: ";\n", omittingEmptySubsequences: true) {
                    transaction.later(Statement(String(statement)))
                }
                transaction.later(
                    Statement("INSERT INTO migrations (identifier) VALUES ($1)"), step.identifier)
            }
            // After all steps are done: they contain definitions that a distributed table does not accept.
            if answers[1].first?.bool(0) == true { try distribute(missing, isNew: known.isEmpty, transaction) }
            try transaction.commit()
        } catch {
            transaction.rollback()
            throw Self.explained(error, schema)
        }
    }

    /// Distributes the tables that steps created, unless the existing ones were left on one node.
    private func distribute(
        _ made: [Migration], isNew: Bool, _ transaction: Transaction
    ) throws(StorageError) {
        if !isNew, try transaction.run(Self.spreadHeads).count == 0 { return }
        for statement in isNew ? Distribution.statements(self) : Distribution.statements(made) {
            transaction.later(Statement(statement))
        }
    }

    /// The steps that were done in the database; nil if it has none of our tables.
    private func done(_ connection: Connection, _ schema: String) throws(StorageError) -> Set<String>? {
        let transaction = Transaction(connection, .beginReading)
        defer { transaction.rollback() }
        let isThere = try transaction.run(
            Statement("SELECT 1::bigint FROM pg_tables WHERE schemaname = $1 AND tablename = 'migrations'"), schema)
        guard isThere.count == 1 else { return nil }
        do throws(StorageError) {
            let rows = try transaction.run(Statement(Self.read))
            return Set(try rows.map { row throws(StorageError) in row.string(0) })
        } catch {
            throw Self.explained(error, hiddenIn: schema)
        }
    }

    /// The tables exist, but for a user without permission for their schema, PostgreSQL reports that they do not (42P01).
    private static func explained(_ error: StorageError, hiddenIn schema: String) -> StorageError {
        guard case .failed(let text) = error, text.contains("(42501)") || text.contains("(42P01)") else { return error }
        return .failed(
            "PostgreSQL does not allow this user to use the tables: grant it USAGE ON SCHEMA \(schema) and SELECT, INSERT, "
                + "UPDATE, DELETE ON ALL TABLES IN SCHEMA \(schema)")
    }

    private func missing(_ done: Set<String>) throws(StorageError) -> [Migration] {
        let known = steps.map(\.identifier)
        if let unknown = done.subtracting(known).filter({ Table.isNewer($0, than: known) }).min() {
            throw .newer(
                "the tables of this PostgreSQL database were created by a newer server (step '\(unknown)'): "
                    + "update the server")
        }
        return steps.filter { !done.contains($0.identifier) }
    }

    private static func explained(_ error: StorageError, _ schema: String) -> StorageError {
        guard case .failed(let text) = error, text.contains("(42501)") else { return error }
        return .failed(
            "\(text). The first start creates the schema '\(schema)' and its tables: "
                + "grant the user CREATE on the database, or let another user start the server once")
    }

    private static let list = """
        CREATE TABLE IF NOT EXISTS migrations (
            identifier text PRIMARY KEY,
            done_at timestamptz NOT NULL DEFAULT now()
        )
        """
    private static let read = "SELECT identifier FROM migrations"
    /// The steps that were done in the database.
    static let done = Statement(read)
    private static let isDistributed = Statement("SELECT \(Distribution.isThere)")
    private static let spreadHeads = Statement(
        "SELECT 1::bigint FROM pg_dist_partition WHERE logicalrelid = to_regclass('heads')")
    private static let lock = Statement("SELECT pg_advisory_xact_lock($1)")
    /// `nephos` in ASCII: the lock of migrations, which is the same for all schemas.
    private static let lockNumber: Int64 = 0x6E65_7068_6F73
}
