import CLibPQ
package import NephosStorage

/// The address of a PostgreSQL database. Never printed, since it may contain a password.
package struct ConnectionTarget: Sendable {
    private let url: String
    let schema: String

    /// - Parameters:
    ///   - url: `postgres://user:password@host:port/database`, followed by any parameters that libpq supports. What it does
    ///     not specify comes from libpq's own environment variables and files (`PGPASSWORD`, `~/.pgpass`, …).
    ///   - schema: The schema of the Nephos tables in that database.
    /// - Throws: ``StorageError/failed(_:)`` if libpq cannot parse it. The message never repeats it.
    package init(url: String, schema: String = "nephos") throws(StorageError) {
        self.url = url
        self.schema = schema
        guard Self.isURL(url), let options = PQconninfoParse(url, nil) else {
            throw .failed(
                "this is not a valid PostgreSQL address: write postgres://USER@HOST:PORT/DATABASE, "
                    + "with characters like @ or / in a password written as %40 or %2F")
        }
        PQconninfoFree(options)
    }

    /// Whether a text is the URL of a PostgreSQL database.
    package static func isURL(_ text: String) -> Bool {
        text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
    }

    /// Opens a connection, or a failed one that contains the error.
    func connect() -> OpaquePointer? {
        // Parameters before the URL can be overridden by it. A standby must not be used: after a failover a name may lead to
        // one, whose results would be out of date.
        let parameters = [
            ("application_name", "nephos"), ("target_session_attrs", "primary"), ("connect_timeout", "5"),
            ("keepalives_idle", "10"),
            ("keepalives_interval", "5"), ("keepalives_count", "3"), ("tcp_user_timeout", "30000"), ("dbname", url),
            ("client_encoding", "UTF8"),
        ]
        return withCStrings(parameters.map(\.0)) { keys in
            withCStrings(parameters.map(\.1)) { values in PQconnectdbParams(keys, values, 1) }
        }
    }

    /// The settings at the start of every session.
    ///
    /// - Names mean what PostgreSQL defines, and from the end of the settings on also what is in our schema, and nothing else: other
    ///   roles may create functions and operators in `public`. PostgreSQL's own schema is searched first without being named, and named
    ///   first it would be where tables are created; temporary objects would be found before tables if they were not named last. An
    ///   operator in our schema is still called if it fits its operands better, so what the schema contains is checked before use
    ///   (``SchemaOwners``).
    /// - A commit is on the disk before it is acknowledged, whatever the server's default; a default that waits for standbys
    ///   as well is preserved.
    /// - Every statement is written for an index. The planner is prevented from using other plans: without fresh statistics it would
    ///   sometimes read a whole table, and the time of one person's request must not depend on the number of people. A statement is
    ///   planned once per session; but a distributed PostgreSQL must see the values to find the node that has the rows.
    /// - No session holds a head's lock for long: neither with a statement that hangs, nor in a process that has stopped.
    var sessionSettings: String {
        """
        SET search_path = pg_catalog, pg_temp;
        SELECT set_config('synchronous_commit', 'on', false)
            WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply');
        SET client_min_messages = warning;
        SET enable_seqscan = off;
        SET enable_hashjoin = off;
        SET enable_mergejoin = off;
        SET enable_material = off;
        SET enable_bitmapscan = off;
        SET enable_incremental_sort = off;
        SET max_parallel_workers_per_gather = 0;
        SET jit = off;
        SELECT set_config('plan_cache_mode', 'force_generic_plan', false) WHERE NOT \(Distribution.isThere);
        SET statement_timeout = '30s';
        SET lock_timeout = '10s';
        SET idle_in_transaction_session_timeout = '30s';
        SET search_path = "\(schema)", pg_temp;
        """
    }
}

/// The texts as a null-terminated list of C strings.
private func withCStrings<Answer>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Answer
) -> Answer {
    var memory: [CChar] = []
    var starts: [Int] = []
    for text in texts {
        starts.append(memory.count)
        memory += text.utf8CString
    }
    return memory.withUnsafeBufferPointer { memory in
        var pointers = starts.map { start in memory.baseAddress.map { $0 + start } }
        pointers.append(nil)
        return pointers.withUnsafeBufferPointer { list in
            guard let base = list.baseAddress else { preconditionFailure("a list with a null is never empty") }
            return body(base)
        }
    }
}
