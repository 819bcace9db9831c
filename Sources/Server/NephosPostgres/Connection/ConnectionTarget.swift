import CLibPQ
package import NephosStorage

/// Which PostgreSQL database, reached how. Never printed: it may hold a password.
package struct ConnectionTarget: Sendable {
    private let url: String
    let schema: String

    /// - Parameters:
    ///   - url: `postgres://user:password@host:port/database`, with all that libpq understands behind it. What it does
    ///     not say comes from libpq's own environment variables and files (`PGPASSWORD`, `~/.pgpass`, …).
    ///   - schema: Where Nephos keeps its tables in that database.
    /// - Throws: ``StorageError/failed(_:)`` when libpq cannot read it. The message never repeats it.
    package init(url: String, schema: String = "nephos") throws(StorageError) {
        self.url = url
        self.schema = schema
        guard Self.isURL(url), let options = PQconninfoParse(url, nil) else {
            throw .failed(
                "this is no address of a PostgreSQL database: write postgres://USER@HOST:PORT/DATABASE, "
                    + "with characters like @ or / in a password written as %40 or %2F")
        }
        PQconninfoFree(options)
    }

    /// Whether a text names a PostgreSQL database.
    package static func isURL(_ text: String) -> Bool {
        text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
    }

    /// Opens a connection, or one that says why it is none.
    func connect() -> OpaquePointer? {
        // What comes first can be changed by the URL. A standby is no server for us: after a failover some name may lead
        // to one, which would answer with what was saved a while ago.
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

    /// What every session starts with.
    ///
    /// - A commit is on the disk before it is answered, whatever the server's default; who waits for standbys too
    ///   still does.
    /// - Every statement is written for an index. The planner is kept from others: without fresh statistics it would
    ///   sometimes read a whole table, and one person's request must not depend on how many others there are. A statement
    ///   is planned once for a session; but a distributed PostgreSQL must see the values, to know which node has them.
    /// - Nobody holds a head's lock for long: not a statement that hangs, nor a process that stands still.
    var sessionSettings: String {
        """
        SELECT set_config('synchronous_commit', 'on', false)
            WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply');
        SET client_min_messages = warning;
        SET search_path = "\(schema)";
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
        """
    }
}

/// The texts as a list of C strings that a null ends.
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
