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
    /// them, and the others wait. Nothing in the schema is used before it is known to belong to this role. If the database
    /// distributes tables over nodes, those that the steps create are distributed as well, like the existing ones.
    ///
    /// - Throws: ``StorageError/newer(_:)`` if the database has steps that this server does not know;
    ///   ``StorageError/failed(_:)`` if something in the schema belongs to a role that is not trusted, or others migrate for too long.
    func run(on connection: Connection, schema: String, _ wait: MigrationWait) throws(StorageError) {
        let done = try done(connection, schema)
        if let done, try missing(done).isEmpty { return }
        let transaction = Transaction(connection, .begin)
        transaction.later(MigrationWait.unlimitedLocks)
        transaction.later(Statement("SET LOCAL statement_timeout = 0"))
        do throws(StorageError) {
            try wait.forTurn(transaction)
            transaction.later(Statement(#"CREATE SCHEMA IF NOT EXISTS "\#(schema)""#))
            // Another role may have created it since.
            try SchemaOwners.check(transaction, schema)
            transaction.later(Statement(Self.list))
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
        try SchemaOwners.check(transaction, schema)
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
}

/// How a process waits while another one changes the tables.
struct MigrationWait: Sendable {
    /// After this time it gives up. Changes of large tables take minutes.
    let most: Duration
    /// Called once, with a sentence, when it begins to wait.
    let note: @Sendable (String) -> Void

    /// Returns when no other process migrates, and none can begin until the transaction has ended.
    ///
    /// - Throws: ``StorageError/failed(_:)`` after ``most``. Every role that can connect can hold the lock, so it is named.
    func forTurn(_ transaction: Transaction) throws(StorageError) {
        if try transaction.run(Self.tryLock, Self.lockNumber).first?.bool(0) == true { return }
        let row = try transaction.run(Self.holder, Self.lockNumber).first
        let holder = row.map { "process \($0.string(0)) of the role '\($0.string(1))'" } ?? "another process"
        note("Waiting for \(holder) in PostgreSQL, which changes the tables.")
        transaction.later(Statement("SET LOCAL lock_timeout = \(max(1, Int64(most / .milliseconds(1))))"))
        do throws(StorageError) {
            _ = try transaction.run(Self.lock, Self.lockNumber)
        } catch {
            guard case .failed(let text) = error, text.contains("(55P03)") else { throw error }
            throw .failed(
                "\(holder) in PostgreSQL has kept the lock of migrations for \(most). If it is no Nephos server that changes "
                    + "tables, end it with pg_terminate_backend, and let no other role connect: REVOKE CONNECT ON DATABASE")
        }
        transaction.later(Self.unlimitedLocks)
    }

    private static let tryLock = Statement("SELECT pg_try_advisory_xact_lock($1)")
    private static let lock = Statement("SELECT pg_advisory_xact_lock($1)::text")
    /// Large tables take time, and other servers wait for the one that changes them.
    static let unlimitedLocks = Statement("SET LOCAL lock_timeout = 0")
    private static let holder = Statement(
        """
        SELECT a.pid::text, coalesce(a.usename::text, '') FROM pg_locks AS l JOIN pg_stat_activity AS a ON a.pid = l.pid
        WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1 AND a.datname = current_database()
            AND l.classid::bigint = ($1::bigint >> 32) AND l.objid::bigint = ($1::bigint & 4294967295)
        LIMIT 1
        """)
    /// `nephos` in ASCII: the lock of migrations, which is the same for all schemas.
    static let lockNumber: Int64 = 0x6E65_7068_6F73
}
