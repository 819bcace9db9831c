package import NephosStorage

extension PostgresEngine: SecretKeeper {
    package func secretNames() throws(StorageError) -> SecretNames { try list.secretNames() }

    package func change(_ old: SecretNames, to new: SecretNames) throws(StorageError) -> SecretNames {
        try list.change(old, to: new)
    }

    /// A key stored next to what it opens would be in every copy.
    package var keepsKeys: Bool { false }

    package func exclusively<Answer>(_ body: () throws -> Answer) throws -> Answer { try body() }

    package func keep(_ keys: [SecretKey]) throws(StorageError) {
        throw .failed("keys are not stored in a database: write them where servers and commands find them")
    }

    /// Waits for transactions of all servers that began before now. PostgreSQL has no event for it, so it is polled; only
    /// `nephos secret rotate` waits here.
    package func settle() async throws {
        guard let now = try pool.run(Self.clock).first?.int(0) else {
            throw StorageError.failed("PostgreSQL does not report its time")
        }
        while try pool.run(Self.earlier, now).count > 0 { try await Task.sleep(for: .milliseconds(50)) }
    }

    /// In microseconds.
    private static let clock = Statement("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint")
    private static let earlier = Statement(
        """
        SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
            AND xact_start < to_timestamp($1::bigint / 1000000.0) LIMIT 1
        """)
}
