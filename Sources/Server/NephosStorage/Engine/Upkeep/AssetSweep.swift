/// Removes the rows of files that no record has held since before a time, a bounded number in one transaction.
struct AssetSweep {
    let session: any UpkeepSession
    let time: Milliseconds
    let limit: Int64

    func run() throws(StorageError) -> [AssetRow] {
        var found: [AssetKey] = []
        try session.run([Self.old(session.number, .int(time), .int(limit))]) { _, row in
            found.append(AssetKey(database: row.database(0), address: row.bytes(1)))
        }
        try session.lock(found.map(\.database))
        var files: [AssetRow] = []
        // A file that was claimed before its head was locked is kept.
        let removals = found.map { Self.removal(.database($0.database), .bytes($0.address), .int(time)) }
        try session.run(removals) { _, row throws(StorageError) in files.append(try row.row(AssetRow.self)) }
        return files
    }

    /// The SQL condition that no record holds a file. Does not use `NOT EXISTS`, which PostgreSQL executes as a join
    /// over all rows.
    private static func isFree(_ database: String, _ address: String) -> String {
        "coalesce((SELECT false FROM asset_refs AS r WHERE r.db = \(database) AND r.address = \(address) LIMIT 1), true)"
    }

    private static let old = SharedStatement(
        """
        SELECT db, address FROM assets INDEXED BY assets_released
        WHERE db >> 40 = $1 AND released_at > 0 AND released_at < $2
            AND \(isFree("assets.db", "assets.address"))
        ORDER BY released_at, db, address LIMIT $3
        """)
    private static let removal = SharedStatement(
        """
        DELETE FROM assets WHERE db = $1 AND address = $2 AND released_at > 0 AND released_at < $3
            AND \(isFree("$1", "$2"))
        RETURNING \(AssetRow.table.columns.map(\.name).joined(separator: ", "))
        """)
}
