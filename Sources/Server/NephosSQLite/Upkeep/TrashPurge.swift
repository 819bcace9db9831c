import CloudKitWire
package import NephosStorage

/// Removes the oldest records in the trash, and releases the files that they hold.
private struct TrashPurge {
    let session: WriteSession

    /// - Returns: The number of records that were removed.
    func run(deletedBefore time: Milliseconds, limit: Int64, at now: Milliseconds) throws(StorageError) -> Int64 {
        _ = try session.catalog()
        let forgotten = try forget(deletedBefore: time, limit: limit)
        for (database, records) in forgotten {
            guard let head = try session.reader.heads.head(database) else {
                throw .corrupt("heads: database \(database) is missing")
            }
            var ledger = Ledger(stored: [head])
            try ledger.count(database) { $0.trash -= Int64(records.count) }
            for record in records where record.flags.contains(.assets) {
                try session.writer.assets.release(
                    of: record.number, in: record.zone, of: database, at: max(head.time, now), &ledger)
            }
            for head in ledger.moved { try session.writer.heads.update(head) }
        }
        return forgotten.values.reduce(0) { $0 + Int64($1.count) }
    }

    private func forget(
        deletedBefore time: Milliseconds, limit: Int64
    ) throws(StorageError) -> [DatabaseNumber: [(zone: ZoneNumber, number: RecordNumber, flags: RecordRow.Flags)]] {
        var cursor = try session.connection.once(
            """
            DELETE FROM trash WHERE (db, record_no) IN (
                SELECT db, record_no FROM trash INDEXED BY trash_by_time
                WHERE deleted_at < ? ORDER BY deleted_at, db, record_no LIMIT ?)
            RETURNING db, zone_no, record_no, flags
            """)
        cursor.bind(time)
        cursor.bind(limit)
        var forgotten: [DatabaseNumber: [(zone: ZoneNumber, number: RecordNumber, flags: RecordRow.Flags)]] = [:]
        while try cursor.next() {
            forgotten[cursor.int(0), default: []].append(
                (cursor.int(1), cursor.int(2), RecordRow.Flags(rawValue: cursor.int(3))))
        }
        return forgotten
    }
}

extension SQLiteTenantStore {
    package func purgeTrash(deletedBefore time: Milliseconds, rows: Int, at now: Milliseconds) async throws -> Bool {
        let limit = Int64(max(rows, 1))
        return try await perform { session throws(StorageError) in
            try TrashPurge(session: session).run(deletedBefore: time, limit: limit, at: now) == limit
        }
    }
}
