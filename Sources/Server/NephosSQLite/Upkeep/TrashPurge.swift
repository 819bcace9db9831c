import CloudKitWire
public import NephosStorage

extension SQLiteTenantStore {
    public func purgeTrash(deletedBefore time: Milliseconds, rows: Int) async throws -> Bool {
        try await perform { session throws(StorageError) in
            _ = try session.catalog()
            let budget = Int64(max(rows, 1))
            let forgotten = try Self.forgetTrash(session, deletedBefore: time, limit: budget)
            for (database, count) in forgotten { try session.changeHead(database) { $0.trash -= count } }
            return forgotten.values.reduce(0, +) == budget
        }
    }

    /// - Returns: How many rows went from each database.
    private static func forgetTrash(
        _ session: WriteSession, deletedBefore time: Milliseconds, limit: Int64
    ) throws(StorageError) -> [DatabaseNumber: Int64] {
        var cursor = try session.connection.once(
            """
            DELETE FROM trash WHERE (db, record_no) IN (
                SELECT db, record_no FROM trash INDEXED BY trash_by_time
                WHERE deleted_at < ? ORDER BY deleted_at, db, record_no LIMIT ?)
            RETURNING db
            """)
        cursor.bind(time)
        cursor.bind(limit)
        var counts: [DatabaseNumber: Int64] = [:]
        while try cursor.next() { counts[cursor.int(0), default: 0] += 1 }
        return counts
    }
}
