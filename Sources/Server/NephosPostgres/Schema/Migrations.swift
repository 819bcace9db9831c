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
        var turn = MigrationTurn(wait, schema)
        while true {
            let transaction = Transaction(connection, .begin)
            do throws(StorageError) {
                // Another role may have created the schema since.
                transaction.later(SchemaOwners.systemNamesOnly)
                transaction.later(Statement("SET LOCAL statement_timeout = 0"))
                try turn.take(transaction)
                transaction.later(Statement(#"CREATE SCHEMA IF NOT EXISTS "\#(schema)""#))
                try SchemaOwners.check(transaction, schema)
                try change(transaction)
                return try transaction.commit()
            } catch {
                // Asked before the rollback, which has an outcome of its own.
                let isLocked = connection.failure.map { $0.isLockTimeout || $0.isRetryable } ?? false
                transaction.rollback()
                guard isLocked else { throw Self.explained(error, schema) }
                try turn.pause(connection)
            }
        }
    }

    /// Runs the missing steps, as its transaction sees them.
    private func change(_ transaction: Transaction) throws(StorageError) {
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

/// How a process waits while another one changes the tables, or uses one that it must change.
struct MigrationWait: Sendable {
    /// After this time it gives up. Changes of large tables take minutes.
    let most: Duration
    /// Called once, with a sentence, when it begins to wait.
    let note: @Sendable (String) -> Void

    /// `nephos` in ASCII: the lock of migrations, which is the same for all schemas.
    static let lockNumber: Int64 = 0x6E65_7068_6F73
}

/// The waiting of one start.
private struct MigrationTurn {
    private let wait: MigrationWait
    private let schema: String
    private let end: ContinuousClock.Instant
    private var isNoted = false

    /// While a step waits for a table, the queries of other servers wait behind it. So it does not wait long, and tries again.
    private static let stepWait = Duration.seconds(3)

    init(_ wait: MigrationWait, _ schema: String) {
        (self.wait, self.schema, end) = (wait, schema, ContinuousClock.now + wait.most)
    }

    /// Returns when no other process migrates, and none can begin until the transaction has ended.
    mutating func take(_ transaction: Transaction) throws(StorageError) {
        if try transaction.run(Self.tryLock, MigrationWait.lockNumber).first?.bool(0) != true {
            note(try holder(transaction).name)
            transaction.later(limit(end - ContinuousClock.now))
            _ = try transaction.run(Self.lock, MigrationWait.lockNumber)
        }
        transaction.later(limit(min(Self.stepWait, end - ContinuousClock.now)))
    }

    /// Lets others work before the next attempt, after a lock was not given in time.
    ///
    /// - Throws: ``StorageError/failed(_:)`` after the whole time. Every role that can connect can hold a lock, so it is named.
    mutating func pause(_ connection: Connection) throws(StorageError) {
        let transaction = Transaction(connection, .beginReading)
        defer { transaction.rollback() }
        transaction.later(SchemaOwners.systemNamesOnly)
        let (name, database) = try holder(transaction)
        guard ContinuousClock.now < end else {
            throw .failed(
                "\(name) in PostgreSQL has kept a lock that a change of the tables needs, for \(wait.most). If it is no Nephos "
                    + "server that changes tables, end it with pg_terminate_backend, and let no other role connect: "
                    + "REVOKE CONNECT ON DATABASE \(database) FROM PUBLIC")
        }
        note(name)
        _ = try transaction.run(Self.sleep)
    }

    private mutating func note(_ name: String) {
        if !isNoted { wait.note("Waiting for \(name) in PostgreSQL, which changes or uses the tables.") }
        isNoted = true
    }

    private func limit(_ time: Duration) -> Statement {
        Statement("SET LOCAL lock_timeout = \(max(1, Int64(time / .milliseconds(1))))")
    }

    /// Whom it waits for, and the name of the database, quoted: whoever migrates, otherwise the oldest transaction that uses a table.
    /// The age of others' transactions is visible to few roles.
    private func holder(_ transaction: Transaction) throws(StorageError) -> (name: String, database: String) {
        guard let row = try transaction.run(Self.holder, MigrationWait.lockNumber, schema).first else {
            throw .failed("PostgreSQL does not report its locks")
        }
        return (row.string(0), row.string(1))
    }

    private static let tryLock = Statement("SELECT pg_try_advisory_xact_lock($1)")
    private static let lock = Statement("SELECT pg_advisory_xact_lock($1)::text")
    private static let sleep = Statement("SELECT pg_sleep(1)::text")
    private static let holder = Statement(
        """
        SELECT coalesce((
            SELECT 'process ' || a.pid::text || ' of the role ' || quote_literal(coalesce(a.usename::text, ''))
            FROM pg_locks AS l JOIN pg_stat_activity AS a ON a.pid = l.pid
            WHERE l.granted AND l.pid <> pg_backend_pid() AND a.datname = current_database() AND (
                l.locktype = 'advisory' AND l.objsubid = 1
                    AND l.classid::bigint = ($1::bigint >> 32) AND l.objid::bigint = ($1::bigint & 4294967295)
                OR l.locktype = 'relation' AND l.relation IN (
                    SELECT c.oid FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = $2))
            ORDER BY l.locktype = 'advisory' DESC, a.xact_start NULLS FIRST LIMIT 1
        ), 'another process'), quote_ident(current_database())
        """)
}
