import CloudKitWire
package import NephosStorage

/// Removes records in the trash that were deleted before a time, a bounded number in one transaction, and releases the files that they hold.
struct TrashPurge {
    private let session: WriteSession
    private let time: Milliseconds
    private let budget: Int64
    private let now: Milliseconds

    init(_ session: WriteSession, deletedBefore time: Milliseconds, rows: Int, at now: Milliseconds) {
        self.session = session
        self.time = time
        self.now = now
        budget = Int64(max(rows, 1))
    }

    /// - Returns: Whether there is more to remove.
    func run() throws(StorageError) -> Bool {
        let call = Call(Self.old, session.tenant.value, time, budget)
        guard let old = try session.find([call])?.first else { return false }
        let found = try old.map { row throws(StorageError) in
            (database: session.tenant.database(row.int(0)), record: row.int(1))
        }
        try session.lock(found.map(\.database))
        let databases = found.groups(by: \.database)
        let gone = try session.transaction.run(try databases.map(removal))
        var holders: [AssetWriter.Holder] = []
        for (database, rows) in zip(databases.map(\.key), gone) {
            try rows.forEach { row throws(StorageError) in
                try session.changeHead(database) { $0.trash -= 1 }
                if RecordRow.Flags(rawValue: row.int(2)).contains(.assets) {
                    holders.append(AssetWriter.Holder(database: database, zone: row.int(0), record: row.int(1)))
                }
            }
        }
        try release(of: holders)
        return Int64(old.count) == budget
    }

    /// Rows that were removed from the trash meanwhile, or were added again later, are not affected.
    private func removal(
        _ database: DatabaseNumber, _ rows: [(database: DatabaseNumber, record: RecordNumber)]
    ) throws(StorageError) -> Call {
        let stored = try session.tenant.stored(database)
        return Call(Self.removal, stored, rows.map(\.record), time)
    }

    private func release(of holders: [AssetWriter.Holder]) throws(StorageError) {
        let assets = AssetWriter(tenant: session.tenant, transaction: session.transaction)
        for (database, rows) in holders.groups(by: \.database) {
            let time = max(try session.lockHead(database)?.time ?? 0, now)
            let gone = try assets.release(of: rows, in: database, at: time)
            try session.changeHead(database) {
                $0.assets -= gone.uses
                $0.assetBytes -= gone.bytes
            }
        }
    }

    private static let old = Statement(
        """
        SELECT db, record_no FROM trash WHERE db >> 40 = $1 AND deleted_at < $2
        ORDER BY deleted_at, db, record_no LIMIT $3
        """)
    private static let removal = Statement(
        """
        DELETE FROM trash AS t USING unnest($2::bigint[]) AS old (record_no)
        WHERE t.db = $1 AND t.record_no = old.record_no AND t.deleted_at < $3
        RETURNING t.zone_no, t.record_no, t.flags
        """)
}

extension PostgresTenantStore {
    package func purgeTrash(
        deletedBefore time: Milliseconds, rows: Int, at now: Milliseconds
    ) async throws -> Bool {
        try await perform { session throws(StorageError) in
            try TrashPurge(session, deletedBefore: time, rows: rows, at: now).run()
        }
    }
}
