import CloudKitWire
package import NephosStorage

extension WriteSession: UpkeepSession {
    var tenantNumber: Int64 { tenant.value }

    func run(
        _ calls: [SharedCall], _ row: (Int, any AnswerRow) throws(StorageError) -> Void
    ) throws(StorageError) { try transaction.run(try Call.all(calls, tenant)).show(row) }

    /// Finds out what there is to do, in one round trip.
    ///
    /// A lease usually prevents a second process from doing the same work (docs/decisions/0019). If it does not, nothing is
    /// done twice: the work that is found here may be done already when a head is locked.
    ///
    /// - Returns: The results of `calls`; nil if there is nothing to do.
    /// - Throws: ``StorageError/noSuchTenant`` if there is nothing to do because the container was deleted.
    func find(_ calls: [Call]) throws(StorageError) -> ArraySlice<Rows>? {
        let found = try transaction.run(calls)
        if found.contains(where: { $0.count > 0 }) { return found }
        _ = try catalog()
        return nil
    }

    @discardableResult
    func lock(_ databases: [DatabaseNumber]) throws(StorageError) -> Catalog {
        try load(ReadSet(), locking: Array(Set(databases))).catalog
    }

    func rows<Row: StoredRow>(_ scan: Scan<Row>) throws(StorageError) -> [Row] {
        try TableReader(tenant: tenant, isForUpdate: false).rows(scan, transaction)
    }

    func update(_ zone: ZoneRow) throws(StorageError) { try zoneWriter.update(zone) }

    func apply(_ change: RowChange) throws(StorageError) {
        try TableWriter(tenant: tenant, transaction: transaction, tables: store.described).apply([change])
    }

    func remove(
        _ budget: Int64, of zone: ZoneNumbers, at time: Milliseconds, countsTypes: Bool, with calls: [SharedCall],
        _ row: (Int, any AnswerRow) throws(StorageError) -> Void
    ) throws(StorageError) -> [SweptTable.Gone] {
        let stored = try tenant.stored(zone.database)
        let removal = Call(SweptTable.removal, stored, zone.zone, budget, time, Int64(countsTypes ? 1 : 0))
        let answers = try transaction.run([removal] + (try Call.all(calls, tenant)))
        guard let answer = answers.first, let sums = answer.first else { throw .failed("a sweep has no answer") }
        try answers.dropFirst().show(row)
        let types = try SweptTable.types(answer)
        var column: Int32 = 2
        return SweptTable.all.map { table in
            defer { column += Int32(1 + table.sums.count) }
            return SweptTable.Gone(
                rows: sums.int(column), sums: table.sums.indices.map { sums.int(column + 1 + Int32($0)) },
                types: table.areRecords ? types : [:])
        }
    }
}

extension SweptTable {
    /// Removes from each table what the previous ones left of the budget, and releases files. Parameters: the database, the
    /// zone, the maximum number of rows, the time at which files are released, and 1 to count types. Returns a row for each
    /// type of removed records, or one with null if there are none: the type, its count, and for each table the number of
    /// removed rows with its sums.
    fileprivate static let removal: Statement = {
        var (limit, parts, answers) = ("$3", [String](), ["types.type", "types.rows"])
        for table in all {
            parts.append("\(table.gone) AS (\(table.removal(limit: limit)))")
            if table.areUses { parts.append("released AS (\(AssetWriter.release(at: "$4")))") }
            let count = "(SELECT count(*) FROM \(table.gone))"
            limit += " - \(count)"
            answers.append(count)
            answers += table.sums.indices.map { "(SELECT coalesce(sum(sum\($0)), 0)::bigint FROM \(table.gone))" }
        }
        return Statement(
            """
            WITH \(parts.joined(separator: ", ")) SELECT \(answers.joined(separator: ", "))
            FROM (SELECT 1) AS one LEFT JOIN (
                SELECT type, count(*) AS rows FROM gone_records WHERE $5::bigint = 1 GROUP BY type
            ) AS types ON true
            """)
    }()

    fileprivate static func types(_ answer: Rows) throws(StorageError) -> [TypeNumber: Int64] {
        var types: [TypeNumber: Int64] = [:]
        try answer.forEach { row throws(StorageError) in
            if !row.isNull(0) { types[try row.type(0)] = row.int(1) }
        }
        return types
    }

    /// The name of the removed rows in the statement. ``AssetWriter/release(at:)`` reads those of files.
    private var gone: String { areUses ? "gone" : "gone_\(table.name)" }

    private func removal(limit: String) -> String {
        let same = zip(zoneKey, ["$1", "$2"]).map { "t.\($0) = \($1)" } + rowKey.map { "t.\($0) = old.\($0)" }
        let columns = zoneKey + rowKey + (areRecords ? ["type"] : [])
        let returned = columns.map { "t.\($0)" } + sums.enumerated().map { "\($1) AS sum\($0)" }
        return """
            DELETE FROM \(table.name) AS t USING (
                SELECT \(rowKey.joined(separator: ", ")) FROM \(table.name) WHERE db = $1 AND zone_no = $2
                ORDER BY \(order.joined(separator: ", ")) LIMIT \(limit)
            ) AS old
            WHERE \(same.joined(separator: " AND ")) RETURNING \(returned.joined(separator: ", "))
            """
    }
}

extension PostgresTenantStore: UpkeepStore {
    package func upkeep<Answer: Sendable>(
        _ work: @escaping @Sendable (any UpkeepSession) throws(StorageError) -> Answer
    ) async throws -> Answer {
        try await perform { session throws(StorageError) in try work(session) }
    }

    package func waitingRows() throws(StorageError) -> WaitingRows {
        try pool.withConnectionRetrying { connection throws(StorageError) in
            try WaitingRows(foundBy: Reader(tenant: number, connection: connection))
        }
    }
}

/// Runs shared statements of a tenant without a transaction.
private struct Reader: TenantRunner {
    let tenant: TenantNumber
    let connection: Connection
    var tenantNumber: Int64 { tenant.value }

    func run(
        _ calls: [SharedCall], _ row: (Int, any AnswerRow) throws(StorageError) -> Void
    ) throws(StorageError) { try connection.run(try Call.all(calls, tenant)).show(row) }
}
