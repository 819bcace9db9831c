import NephosStorage

/// The requirements for a PostgreSQL server.
enum ServerRequirements {
    private static let versionMin: Int64 = 150_000

    /// Runs before it is known who owns our schema (``SchemaOwners``), so every operand has the exact type of its operator.
    ///
    /// - Throws: ``StorageError/failed(_:)``, which explains what to change.
    static func check(_ connection: Connection) throws(StorageError) {
        guard let row = try connection.run([Call(settings)]).first?.first else {
            throw .failed("PostgreSQL does not report its settings")
        }
        let version = row.int(0)
        guard version >= versionMin else {
            throw .failed("PostgreSQL 15 or newer is required, this is \(version / 10_000)")
        }
        guard row.string(1) == "UTF8" else {
            throw .failed(
                "the database's encoding is \(row.string(1)); create one with: createdb --encoding=UTF8 --template=template0"
            )
        }
        guard row.string(2) == "on" else {
            throw .failed("PostgreSQL runs with fsync=off and could lose acknowledged data: set fsync = on")
        }
        guard row.string(3) == "off" else { throw .readOnly }
        if row.bool(4) { try NodeSettings.check(connection) }
    }

    /// Microseconds since 1970 by the server's clock.
    static func time(_ connection: Connection) throws(StorageError) -> Int64 {
        guard let row = try connection.run([Call(clock)]).first?.first else {
            throw .failed("PostgreSQL does not report its time")
        }
        return row.int(0)
    }

    private static let settings = Statement(
        """
        SELECT current_setting('server_version_num')::bigint, current_setting('server_encoding'),
            current_setting('fsync'), current_setting('transaction_read_only'), \(Distribution.isThere)
        """)
    private static let clock = Statement("SELECT (extract(epoch FROM clock_timestamp()) * 1000000::numeric)::bigint")
}
