/// Removes the rows of one dead zone, a bounded number in one transaction.
///
/// References, entries of indexes and uses of files go first, so that none ever stands without its record; a record of a dead zone
/// may stand without them for a while. A zone whose records somebody is still to be told of waits, and so does one whose records
/// features cannot take note of yet.
struct Sweep {
    let session: any UpkeepSession
    let budget: Int64
    let now: Milliseconds

    /// - Returns: Whether there is more to sweep.
    /// - Throws: ``StorageError/postponed`` where features have no room to take note of what would go.
    func run() throws(StorageError) -> Bool {
        guard let (dead, catalog) = try findAndLock() else { return false }
        let (database, number) = (ColumnValue.database(dead.database), ColumnValue.int(dead.zone))
        let calls = [ZoneRow.byNumber(database, number), Self.nextDead(session.databasesEnd, database, number)]
        let head = try session.lockHead(dead.database)
        let time = max(head?.time ?? 0, now, 1)
        let derived = catalog.derived
        var (zone, hasNext) = (ZoneRow?.none, false)
        // A zone that is dead stays dead, so that its rows may go whatever happened until the head was locked.
        let gone = try session.remove(
            budget, of: dead, at: time, countsTypes: derived != nil, with: calls
        ) { call, row throws(StorageError) in
            if call == 0 { zone = try ZoneRow(row) } else { hasNext = true }
        }
        try count(gone, in: dead.database)
        if let derived, let head { try tell(derived, of: gone, from: head, at: time) }
        // With budget left nothing was left behind.
        guard gone.reduce(0, { $0 + $1.rows }) < budget else { return true }
        if var zone {
            // Another process may have found out first that nothing is left.
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

    /// Takes what went off the head.
    private func count(_ gone: [SweptTable.Gone], in database: DatabaseNumber) throws(StorageError) {
        for (table, gone) in zip(SweptTable.all, gone) where gone.rows > 0 {
            guard let count = table.count else { continue }
            try session.changeHead(database) { count(&$0, gone) }
        }
    }

    /// Has features take note of the records that went.
    ///
    /// - Parameter head: As it was before.
    private func tell(
        _ derived: any CatalogDerivative, of gone: [SweptTable.Gone], from head: HeadRow, at time: Milliseconds
    ) throws(StorageError) {
        let types = gone.reduce(into: [:]) { $0.merge($1.types, uniquingKeysWith: +) }
        guard !types.isEmpty else { return }
        // Nothing of this transaction is committed then.
        guard let annex = derived.swept(types, from: head, at: time) else { throw .postponed }
        if annex != head.annex { try session.changeHead(head.database) { $0.annex = annex } }
    }

    /// Not `NOT EXISTS`, which PostgreSQL makes a join over all events of all databases.
    private static let isTold = """
        coalesce((
            SELECT false FROM change_events AS e
            WHERE e.db = zones.db AND e.zone_no = zones.zone_no AND e.has_record = 1 LIMIT 1), true)
        """
    private static let firstDead = SharedStatement(
        """
        SELECT db, zone_no FROM zones INDEXED BY zones_dead WHERE state = 1 AND db >= $1 AND db < $2 AND \(isTold)
        ORDER BY db, zone_no LIMIT 1
        """)
    private static let nextDead = SharedStatement(
        """
        SELECT db FROM zones INDEXED BY zones_dead WHERE state = 1 AND db < $1 AND (db, zone_no) > ($2, $3)
            AND \(isTold)
        ORDER BY db, zone_no LIMIT 1
        """)
}

/// A table with rows of zones, which go with a dead one.
package struct SweptTable: Sendable {
    /// What went of it.
    package struct Gone {
        package let rows: Int64
        /// Of ``SweptTable/sums``.
        package let sums: [Int64]
        /// Of records: how many of each type, where that was asked.
        package let types: [TypeNumber: Int64]

        package init(rows: Int64, sums: [Int64], types: [TypeNumber: Int64] = [:]) {
            (self.rows, self.sums, self.types) = (rows, sums, types)
        }
    }

    package let table: StoredTable
    /// In which order rows of a zone go: an index has them so.
    package let order: [String]
    /// What of the rows that go is summed up, in SQL.
    package let sums: [String]
    /// Takes them off the head; nil where that does not count them.
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

    /// Columns of the key that name the zone, and those that tell its rows apart.
    package var zoneKey: [String] { table.key.map(\.name).filter(Self.zone.contains) }
    package var rowKey: [String] { table.key.map(\.name).filter { !Self.zone.contains($0) } }
    /// Rows are those that hold files.
    package var areUses: Bool { table.name == StoredTable.assetUses.name }
    package var areRecords: Bool { table.name == StoredTable.records.name }

    /// In the order in which they go.
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
