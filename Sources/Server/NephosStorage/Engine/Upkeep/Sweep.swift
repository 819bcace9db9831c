/// Removes the rows of one dead zone, a bounded number in one transaction.
///
/// References, entries of indexes and uses of files are removed first, so that none of them ever exists without its
/// record; a record of a dead zone may exist without them for a while. A zone is postponed while notifications about
/// its records are still to be sent, or while features cannot record the removal of its records.
struct Sweep {
    let session: any UpkeepSession
    let budget: Int64
    let now: Milliseconds

    /// - Returns: Whether there is more to sweep.
    /// - Throws: ``StorageError/postponed`` if features have no room to record the removal.
    func run() throws(StorageError) -> Bool {
        guard let (dead, catalog) = try findAndLock() else { return false }
        let (database, number) = (ColumnValue.database(dead.database), ColumnValue.int(dead.zone))
        let calls = [ZoneRow.byNumber(database, number), Self.nextDead(session.databasesEnd, database, number)]
        let head = try session.lockHead(dead.database)
        let time = max(head?.time ?? 0, now, 1)
        let derived = catalog.derived
        var (zone, hasNext) = (ZoneRow?.none, false)
        // A dead zone stays dead, so its rows may be removed regardless of what happened before the head was locked.
        let gone = try session.remove(
            budget, of: dead, at: time, countsTypes: derived != nil, with: calls
        ) { call, row throws(StorageError) in
            if call == 0 { zone = try ZoneRow(row) } else { hasNext = true }
        }
        try count(gone, in: dead.database)
        if let derived, let head { try record(derived, of: gone, from: head, at: time) }
        // If budget is left, all rows of the zone have been removed.
        guard gone.reduce(0, { $0 + $1.rows }) < budget else { return true }
        if var zone {
            // Another process may already have marked the zone as swept.
            guard zone.state == .dead else { return true }
            zone.state = .swept
            try session.update(zone)
        }
        return hasNext
    }

    private func findAndLock() throws(StorageError) -> (ZoneNumbers, Catalog)? {
        var dead: ZoneNumbers?
        try session.run([Self.firstDead(session.firstDatabase, session.databasesEnd)]) { _, row in
            dead = ZoneNumbers(row)
        }
        let catalog = try session.lock(dead.map { [$0.database] } ?? [])
        return dead.map { ($0, catalog) }
    }

    /// Subtracts the removed rows from the counters of the head.
    private func count(_ gone: [SweptTable.Gone], in database: DatabaseNumber) throws(StorageError) {
        for (table, gone) in zip(SweptTable.all, gone) where gone.rows > 0 {
            guard let count = table.count else { continue }
            try session.changeHead(database) { count(&$0, gone) }
        }
    }

    /// Lets features record which records were removed.
    ///
    /// - Parameter head: The head before the removal.
    private func record(
        _ derived: any CatalogDerivative, of gone: [SweptTable.Gone], from head: HeadRow, at time: Milliseconds
    ) throws(StorageError) {
        let types = gone.reduce(into: [:]) { $0.merge($1.types, uniquingKeysWith: +) }
        guard !types.isEmpty else { return }
        // After this error, nothing of the transaction is committed.
        guard let annex = derived.swept(types, from: head, at: time) else { throw .postponed }
        if annex != head.annex { try session.changeHead(head.database) { $0.annex = annex } }
    }

    /// The SQL condition that no event of a zone still includes a record. Does not use `NOT EXISTS`, which PostgreSQL
    /// executes as a join over all events of all databases.
    private static let areEventsDone = """
        coalesce((
            SELECT false FROM change_events AS e
            WHERE e.db = zones.db AND e.zone_no = zones.zone_no AND e.has_record = 1 LIMIT 1), true)
        """
    private static let firstDead = SharedStatement(
        """
        SELECT db, zone_no FROM zones INDEXED BY zones_dead WHERE state = 1 AND db >= $1 AND db < $2 AND \(areEventsDone)
        ORDER BY db, zone_no LIMIT 1
        """)
    private static let nextDead = SharedStatement(
        """
        SELECT db FROM zones INDEXED BY zones_dead WHERE state = 1 AND db < $1 AND (db, zone_no) > ($2, $3)
            AND \(areEventsDone)
        ORDER BY db, zone_no LIMIT 1
        """)
}

/// A table whose rows belong to zones, and are removed with a dead zone.
package struct SweptTable: Sendable {
    /// The removed rows of a table.
    package struct Gone {
        package let rows: Int64
        /// The values of ``SweptTable/sums`` for the removed rows.
        package let sums: [Int64]
        /// The number of removed records of each type, if it was requested.
        package let types: [TypeNumber: Int64]

        package init(rows: Int64, sums: [Int64], types: [TypeNumber: Int64] = [:]) {
            (self.rows, self.sums, self.types) = (rows, sums, types)
        }
    }

    package let table: StoredTable
    /// The columns by which the rows of a zone are ordered for their removal: those of an index.
    package let order: [String]
    /// SQL expressions whose sums over the removed rows are computed.
    package let sums: [String]
    /// Subtracts the removed rows from the counters of the head; nil if the head does not count them.
    let count: (@Sendable (inout HeadRow, Gone) -> Void)?

    private init(
        _ table: StoredTable, order: [String]? = nil, sums: [String] = [],
        count: (@Sendable (inout HeadRow, Gone) -> Void)? = nil
    ) {
        self.table = table
        self.order = order ?? table.key.map(\.name).filter { !Self.zone.contains($0) }
        self.sums = sums
        self.count = count
    }

    private static let zone = ["db", "zone_no"]

    /// The columns of the key that identify the zone.
    package var zoneKey: [String] { table.key.map(\.name).filter(Self.zone.contains) }
    /// The columns of the key that identify a row of the zone.
    package var rowKey: [String] { table.key.map(\.name).filter { !Self.zone.contains($0) } }
    /// Whether the rows of the table are uses of files.
    package var areUses: Bool { table.name == StoredTable.assetUses.name }
    package var areRecords: Bool { table.name == StoredTable.records.name }

    /// All such tables, in the order in which their rows are removed.
    package static let all = [
        SweptTable(.references) { $0.references -= $1.rows },
        SweptTable(.entries),
        SweptTable(.assetUses, sums: ["uses", "uses * size"]) {
            $0.assets -= $1.sums[0]
            $0.assetBytes -= $1.sums[1]
        },
        SweptTable(.records, order: ["seq"], sums: ["size"]) {
            $0.records -= $1.rows
            $0.recordBytes -= $1.sums[0]
        },
        SweptTable(.tombstones) { $0.tombstones -= $1.rows },
    ]
}
