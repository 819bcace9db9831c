/// Runs shared statements on the tables of one tenant.
package protocol TenantRunner: CallRunner {
    /// The number of the tenant in the upper bits of the column `db`; 0 in a file.
    var tenantNumber: Int64 { get }
}

extension TenantRunner {
    var number: ColumnValue { .int(tenantNumber) }
    /// The value of `db` from which the tenant's databases begin.
    var firstDatabase: ColumnValue { .int(tenantNumber << databaseBits) }
    /// The value of `db` before which the tenant's databases end.
    var databasesEnd: ColumnValue { .int((tenantNumber + 1) << databaseBits) }
}

/// The number of lower bits of `db` that contain the number of a database in its tenant. Statements use `db >> 40`.
private let databaseBits: Int64 = 40

/// A transaction for upkeep of a tenant by the engine.
///
/// The work searches for rows to change, locks heads, and then changes only rows that are still unchanged, because
/// another process may be doing the same work (docs/decisions/0019).
package protocol UpkeepSession: TenantRunner {
    /// Locks the heads of databases before any of their rows are changed, in ascending order.
    ///
    /// - Returns: The catalog as this transaction sees it once the heads are locked.
    /// - Throws: ``StorageError/noSuchTenant`` if the container was deleted meanwhile, even if `databases` is empty.
    @discardableResult
    func lock(_ databases: [DatabaseNumber]) throws(StorageError) -> Catalog

    /// Returns a locked head; nil if there is no such database.
    func lockHead(_ database: DatabaseNumber) throws(StorageError) -> HeadRow?

    /// Changes the counters, the purged sequence or the annex of a locked head.
    func changeHead(_ database: DatabaseNumber, _ change: (inout HeadRow) -> Void) throws(StorageError)

    /// Returns rows of a table of the tenant, as this transaction sees them.
    func rows<Row: StoredRow>(_ scan: Scan<Row>) throws(StorageError) -> [Row]

    func update(_ zone: ZoneRow) throws(StorageError)

    /// Removes a locked head.
    func removeHead(_ database: DatabaseNumber) throws(StorageError)

    /// Adds, changes or removes a row of a described table that no head counts.
    func apply(_ change: RowChange) throws(StorageError)

    /// Removes rows of a dead zone from the tables in ``SweptTable/all``, one table after the other, and runs calls in
    /// the same round trip. Files that no record holds any more are marked as released.
    ///
    /// - Parameters:
    ///   - budget: Maximum number of rows to remove.
    ///   - time: The time of the release of files, at least 1.
    ///   - countsTypes: Whether to count the removed records by type.
    /// - Returns: The rows that were removed from each table, in the order of the tables.
    func remove(
        _ budget: Int64, of zone: ZoneNumbers, at time: Milliseconds, countsTypes: Bool, with calls: [SharedCall],
        _ row: (Int, any AnswerRow) throws(StorageError) -> Void
    ) throws(StorageError) -> [SweptTable.Gone]
}

/// Identifies a zone of a tenant.
package struct ZoneNumbers: Sendable {
    package let database: DatabaseNumber
    package let zone: ZoneNumber

    /// Reads the first two columns of a row.
    init(_ row: any AnswerRow) { (database, zone) = (row.database(0), row.int(1)) }
}

extension ZoneRow {
    /// Reads one zone.
    static let byNumber = SharedStatement(
        "SELECT \(columns.joined(separator: ", ")) FROM zones WHERE db = $1 AND zone_no = $2")
}

/// A store whose engine provides transactions for upkeep.
package protocol UpkeepStore: TenantStore {
    /// Runs work in one transaction, after the commits that are already waiting.
    func upkeep<Answer: Sendable>(
        _ work: @escaping @Sendable (any UpkeepSession) throws(StorageError) -> Answer
    ) async throws -> Answer
}

extension UpkeepStore {
    package func sweepDeadZones(rows: Int, at now: Milliseconds) async throws -> Bool {
        do {
            return try await upkeep { session throws(StorageError) in
                try Sweep(session: session, budget: Int64(max(rows, 1)), now: now).run()
            }
        } catch StorageError.postponed {
            return false
        }
    }

    package func purgeTombstones(deletedBefore time: Milliseconds, rows: Int) async throws -> Bool {
        try await upkeep { session throws(StorageError) in
            try Purge(session: session, time: time, budget: Int64(max(rows, 1))).run()
        }
    }

    package func removePerson(_ user: UserRow, at now: Milliseconds) async throws -> Bool {
        let tables = described.stored
        return try await upkeep { session throws(StorageError) in
            try PersonRemoval(session: session, user: user, now: now, tables: tables).run()
        }
    }

    package func sweepAssets(releasedBefore time: Milliseconds, rows: Int) async throws -> [AssetRow] {
        try await upkeep { session throws(StorageError) in
            try AssetSweep(session: session, time: time, limit: Int64(max(rows, 1))).run()
        }
    }
}
