import CloudKitWire
package import NephosStorage

/// A file has one writer at a time: a transaction that has begun has locked everything.
extension WriteSession: UpkeepSession {
    var tenantNumber: Int64 { connection.tenantNumber }

    func run(
        _ calls: [SharedCall], _ row: (Int, any AnswerRow) throws(StorageError) -> Void
    ) throws(StorageError) { try connection.run(calls, row) }

    @discardableResult
    func lock(_ databases: [DatabaseNumber]) throws(StorageError) -> Catalog { try catalog() }

    func lockHead(_ database: DatabaseNumber) throws(StorageError) -> HeadRow? { try reader.heads.head(database) }

    func rows<Row: StoredRow>(_ scan: Scan<Row>) throws(StorageError) -> [Row] { try reader.tables.rows(scan) }

    func update(_ zone: ZoneRow) throws(StorageError) { try writer.zones.update(zone) }

    func removeHead(_ database: DatabaseNumber) throws(StorageError) { try writer.heads.remove(database) }

    func apply(_ change: RowChange) throws(StorageError) { try writer.tables.apply(change) }

    func remove(
        _ budget: Int64, of zone: ZoneNumbers, at time: Milliseconds, countsTypes: Bool, with calls: [SharedCall],
        _ row: (Int, any AnswerRow) throws(StorageError) -> Void
    ) throws(StorageError) -> [SweptTable.Gone] {
        var left = budget
        var gone: [SweptTable.Gone] = []
        for table in SweptTable.all {
            gone.append(try remove(left, table, of: zone, at: time, countsTypes: countsTypes && table.areRecords))
            left -= gone.last?.rows ?? 0
        }
        try run(calls, row)
        return gone
    }

    private func remove(
        _ limit: Int64, _ table: SweptTable, of zone: ZoneNumbers, at time: Milliseconds, countsTypes: Bool
    ) throws(StorageError) -> SweptTable.Gone {
        var cursor = try connection.once(table.removal)
        cursor.bind(zone.database)
        cursor.bind(zone.zone)
        cursor.bind(limit)
        var (rows, sums) = (Int64(0), table.sums.map { _ in Int64(0) })
        var (files, types) = (Set<[UInt8]>(), [TypeNumber: Int64]())
        while try cursor.next() {
            rows += 1
            for place in sums.indices { sums[place] += cursor.int(Int32(place)) }
            if table.areUses { files.insert(cursor.bytes(Int32(sums.count))) }
            if countsTypes { types[try cursor.type(Int32(sums.count)), default: 0] += 1 }
        }
        for file in files { try writer.assets.release(file, of: zone.database, at: time) }
        return SweptTable.Gone(rows: rows, sums: sums, types: types)
    }
}

extension SweptTable {
    /// Parameters: the database, the zone, and the maximum number of rows. Returns the sums, and the address of the file, or the type.
    fileprivate var removal: String {
        let (name, zone) = (table.name, "db = ?1 AND zone_no = ?2")
        // Records have a different key here (``RowKey``).
        let (place, key) = zoneKey.count == 2 ? ("\(zone) AND ", rowKey.joined(separator: ", ")) : ("", "id")
        return """
            DELETE FROM \(name) WHERE \(place)(\(key)) IN (
                SELECT \(key) FROM \(name) WHERE \(zone) ORDER BY \(order.joined(separator: ", ")) LIMIT ?3)
            RETURNING \((sums + [areUses ? "address" : areRecords ? "type" : "0"]).joined(separator: ", "))
            """
    }
}

extension Connection: TenantRunner {
    var tenantNumber: Int64 { 0 }
}

extension SQLiteTenantStore: UpkeepStore {
    package func upkeep<Answer: Sendable>(
        _ work: @escaping @Sendable (any UpkeepSession) throws(StorageError) -> Answer
    ) async throws -> Answer {
        try await perform { session throws(StorageError) in try work(session) }
    }

    package func waitingRows() throws(StorageError) -> WaitingRows {
        try readers.read { reader throws(StorageError) in try WaitingRows(foundBy: reader.connection) }
    }
}
