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
        let found = try old.map { row throws(StorageError) in
            AssetKey(database: session.tenant.database(row.int(0)), address: row.bytes(1))
        }
        try session.lock(found.map(\.database))
        let gone = try session.transaction.run(try found.groups(by: \.database).map(removal))
        var files: [AssetRow] = []
        for rows in gone {
            files += try rows.map { row throws(StorageError) in try row.stored(AssetRow.self, session.tenant) }
        }
        return files
    }

    /// Who claimed one until its head was locked took it back.
    private func removal(_ database: DatabaseNumber, _ files: [AssetKey]) throws(StorageError) -> Call {
        let stored = try session.tenant.stored(database)
        return Call(Self.removal) {
            $0.add(stored)
            $0.add(pieces: files.map { $0.address[...] })
            $0.add(time)
        }
    }

    private static let old = Statement(
        """
        SELECT db, address FROM assets WHERE db >> 40 = $1 AND released_at > 0 AND released_at < $2
        ORDER BY released_at, db, address LIMIT $3
        """)
    private static let removal = Statement(
        """
        DELETE FROM assets AS t USING unnest($2::bytea[]) AS old (address)
        WHERE t.db = $1 AND t.address = old.address AND t.released_at > 0 AND t.released_at < $3
            AND coalesce((SELECT false FROM asset_refs AS r WHERE r.db = $1 AND r.address = t.address LIMIT 1), true)
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
