package import NephosStorage

extension SQLiteTenantStore {
    package func sweepAssets(releasedBefore time: Milliseconds, rows: Int) async throws -> [AssetRow] {
        try await perform { session throws(StorageError) in
            _ = try session.catalog()
            var cursor = try session.connection.once(
                """
                DELETE FROM assets WHERE (db, address) IN (
                    SELECT db, address FROM assets AS a INDEXED BY assets_released
                    WHERE a.released_at > 0 AND a.released_at < ?
                        AND NOT EXISTS (SELECT 1 FROM asset_refs AS r WHERE r.db = a.db AND r.address = a.address)
                    ORDER BY a.released_at, a.db, a.address LIMIT ?)
                RETURNING \(TableSQL.list(AssetRow.table))
                """)
            cursor.bind(time)
            cursor.bind(Int64(max(rows, 1)))
            var forgotten: [AssetRow] = []
            while try cursor.next() { forgotten.append(try cursor.row(AssetRow.self)) }
            return forgotten
        }
    }
}
