package import NephosStorage

extension PostgresEngine: SecretKeeper {
    package func secretNames() throws(StorageError) -> SecretNames { try list.secretNames() }

    package func change(_ old: SecretNames, to new: SecretNames) throws(StorageError) -> SecretNames {
        try list.change(old, to: new)
    }

    /// A key beside what it opens would be in every copy.
    package var keepsKeys: Bool { false }

    package func alone<Answer>(_ body: () throws -> Answer) throws -> Answer { try body() }

    package func keep(_ keys: [SecretKey]) throws(StorageError) {
        throw .failed("a database keeps no keys: write them where servers and commands find them")
    }

    /// Waits for transactions of all servers that began before now. PostgreSQL has no event for it, so it is asked again and again;
    /// only `nephos secret rotate` waits here.
    package func settle() async throws {
        let now = try row(Self.clock).int(0)
        while try row(Self.earlier, now).int(0) > 0 { try await Task.sleep(for: .milliseconds(50)) }
    }

    private func row(_ statement: Statement, _ value: Int64? = nil) throws(StorageError) -> Row {
        let call = Call(statement) { if let value { $0.add(value) } }
        return try pool.withConnectionRetrying { connection throws(StorageError) in
            guard let row = try connection.run([call]).first?.first else { throw .failed("a statement has no answer") }
            return row
        }
    }

    /// Microseconds.
    private static let clock = Statement("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint")
    private static let earlier = Statement(
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
            AND xact_start < to_timestamp($1::bigint / 1000000.0)
        """)
}
