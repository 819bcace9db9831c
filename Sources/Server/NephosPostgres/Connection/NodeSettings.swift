import NephosStorage

/// Whether one node of a distributed PostgreSQL keeps what it has acknowledged. Settings of a session do not reach the other
/// nodes, so each node must be configured for it, and is queried.
struct NodeSettings {
    /// Its host and port.
    let name: String
    /// nil if the node did not respond.
    let settings: (fsync: String, synchronousCommit: String)?
    /// The response, if it does not contain the settings.
    let response: String

    /// - Parameter answer: Both settings, with a space between them.
    init(name: String, isAnswered: Bool, answer: String) {
        let parts = answer.split(separator: " ").map(String.init)
        self.name = name
        settings = isAnswered && parts.count == 2 ? (parts[0], parts[1]) : nil
        response = answer
    }

    /// - Parameter session: The role and the database of the sessions, quoted.
    /// - Throws: ``StorageError/failed(_:)``, with a line that explains what to change; ``StorageError/unavailable(_:)`` for
    ///   a node that did not respond.
    func validate(_ session: (role: String, database: String)) throws(StorageError) {
        guard let settings else { throw .unavailable("node \(name) does not report its settings: \(response)") }
        guard settings.fsync == "on" else {
            throw .failed(
                "node \(name) runs with fsync=\(settings.fsync) and could lose acknowledged data: set fsync = on there"
            )
        }
        guard ["on", "remote_apply"].contains(settings.synchronousCommit) else {
            throw .failed(
                "node \(name) commits with synchronous_commit=\(settings.synchronousCommit) and could lose acknowledged "
                    + "data: ALTER ROLE \(session.role) IN DATABASE \(session.database) SET synchronous_commit = on"
            )
        }
    }

    /// Checks every node.
    static func check(_ connection: Connection) throws(StorageError) {
        guard let rows = try connection.run([Call(all)]).first else {
            throw .failed("PostgreSQL does not report its nodes")
        }
        try rows.forEach { row throws(StorageError) in
            let node = NodeSettings(name: row.string(0), isAnswered: row.bool(1), answer: row.string(2))
            try node.validate((role: row.string(3), database: row.string(4)))
        }
    }

    /// Runs before it is known who owns our schema, so every operand has the exact type of its operator.
    private static let all = Statement(
        """
        SELECT coalesce(n.nodename || ':'::text || n.nodeport::text, a.nodeid::text), a.success, coalesce(a.result, ''),
            quote_ident(current_user), quote_ident(current_database())
        FROM run_command_on_all_nodes(
            $$SELECT current_setting('fsync') || ' ' || current_setting('synchronous_commit')$$::text) AS a
        LEFT JOIN pg_dist_node AS n ON n.nodeid = a.nodeid
        ORDER BY 1
        """)
}
