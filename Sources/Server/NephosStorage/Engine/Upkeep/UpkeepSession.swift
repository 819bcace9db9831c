/// Runs shared statements about one tenant.
package protocol TenantRunner: CallRunner {
    /// The number of the tenant in the upper bits of the column `db`; 0 in a file.
    var tenantNumber: Int64 { get }
}

extension TenantRunner {
    var number: ColumnValue { .int(tenantNumber) }
    /// The first value of `db` for the tenant's databases, and the value after the last.
    var firstDatabase: ColumnValue { .int(tenantNumber << databaseBits) }
    var databasesEnd: ColumnValue { .int((tenantNumber + 1) << databaseBits) }
}

/// The bits of `db` that number the databases of a tenant; statements contain `db >> 40`.
private let databaseBits: Int64 = 40

/// One transaction for upkeep of a tenant by the engine. The work searches for what to do, locks, and changes what is still
/// unchanged: another process may be doing the same (docs/decisions/0019).
package protocol UpkeepSession: TenantRunner {
    /// Locks the heads of databases before any of their rows are changed, in ascending order.
    ///
    /// - Returns: The catalog as this transaction sees it with the heads locked.
    /// - Throws: ``StorageError/noSuchTenant`` if the container was deleted meanwhile, even for no databases.
    @discardableResult
    func lock(_ databases: [DatabaseNumber]) throws(StorageError) -> Catalog

    /// A locked head; nil if there is no such database.
    func lockHead(_ database: DatabaseNumber) throws(StorageError) -> HeadRow?

    /// Changes counters or the annex of a locked head.
    func changeHead(_ database: DatabaseNumber, _ change: (inout HeadRow) -> Void) throws(StorageError)

    /// Rows of a table of the tenant, as this transaction sees them.
    func rows<Row: StoredRow>(_ scan: Scan<Row>) throws(StorageError) -> [Row]

    func update(_ zone: ZoneRow) throws(StorageError)

    /// Removes a locked head.
    func removeHead(_ database: DatabaseNumber) throws(StorageError)

    /// Changes a row of a described table that no head counts.
    func apply(_ change: RowChange) throws(StorageError)

    /// Removes rows of a dead zone, from one table of ``SweptTable/all`` after the other, and runs calls in the same round
    /// trip. Files that no record holds after that are released.
    ///
    /// - Parameters:
    ///   - budget: Maximum number of rows to remove.
    ///   - time: The time at which files are released, at least 1.
    ///   - countsTypes: Whether to count the removed records by type.
    /// - Returns: What was removed, in the order of the tables.
    func remove(
        _ budget: Int64, of zone: ZoneNumbers, at time: Milliseconds, countsTypes: Bool, with calls: [SharedCall],
        _ row: (Int, any AnswerRow) throws(StorageError) -> Void
    ) throws(StorageError) -> [SweptTable.Gone]
}

/// Identifies a zone of a tenant.
package struct ZoneNumbers: Sendable {
    package let database: DatabaseNumber
    package let zone: ZoneNumber

    /// Reads two columns.
    init(_ row: any AnswerRow) { (database, zone) = (row.database(0), row.int(1)) }
}

extension ZoneRow {
    /// Reads one zone.
    static let byNumber = SharedStatement(
        "SELECT \(columns.joined(separator: ", ")) FROM zones WHERE db = $1 AND zone_no = $2")
}

/// A store whose engine provides transactions for upkeep.
package protocol UpkeepStore: TenantStore {
    /// Runs work in a transaction, after the commits that are waiting.
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
