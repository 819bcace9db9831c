import CloudKitWire
package import NephosStorage

/// Forgets files that nobody has held for long, a bounded number in one transaction.
private struct AssetSweep {
    let session: WriteSession
    let time: Milliseconds
    let limit: Int64

    func run() throws(StorageError) -> [AssetRow] {
        let call = Call(Self.old) {
            $0.add(session.tenant.value)
            $0.add(time)
            $0.add(limit)
        }
        guard let old = try session.find([call])?.first, old.count > 0 else { return [] }
        let databases = try old.map { row throws(StorageError) in row.int(0) }
        let addresses = try old.map { row throws(StorageError) in row.bytes(1)[...] }
        try session.lock(databases.map(session.tenant.database))
        // Who claimed one until its head was locked took it back.
        let gone = try session.transaction.run(Self.removal) {
            $0.add(numbers: databases)
            $0.add(pieces: addresses)
            $0.add(time)
        }
        return try gone.map { row throws(StorageError) in try row.stored(AssetRow.self, session.tenant) }
    }

    private static let old = Statement(
        """
        SELECT db, address FROM assets WHERE db >> 40 = $1 AND released_at > 0 AND released_at < $2
        ORDER BY released_at, db, address LIMIT $3
        """)
    private static let removal = Statement(
        """
        DELETE FROM assets AS t USING unnest($1::bigint[], $2::bytea[]) AS old (db, address)
        WHERE t.db = old.db AND t.address = old.address AND t.released_at > 0 AND t.released_at < $3
            AND coalesce((SELECT false FROM asset_refs AS r WHERE r.db = t.db AND r.address = t.address LIMIT 1), true)
        RETURNING \(TableSQL.list(AssetRow.table))
        """)
}

extension PostgresTenantStore {
    package func sweepAssets(releasedBefore time: Milliseconds, rows: Int) async throws -> [AssetRow] {
        try await perform { session throws(StorageError) in
            try AssetSweep(session: session, time: time, limit: Int64(max(rows, 1))).run()
        }
    }
}
