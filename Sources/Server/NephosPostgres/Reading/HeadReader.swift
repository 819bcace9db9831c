import CloudKitWire
import NephosStorage

/// Reads of the table `heads`.
struct HeadReader {
    let tenant: TenantNumber

    /// Reads the heads of these databases, one call for each, in ascending order; those that are not there are left out.
    func heads(_ databases: [DatabaseNumber]) throws(StorageError) -> [Call] {
        try calls(Self.one, databases)
    }

    /// The same, and keeps all others from writing these databases until the transaction ends: each is locked when all
    /// below it are.
    func headsForUpdate(_ databases: [DatabaseNumber]) throws(StorageError) -> [Call] {
        try calls(Self.oneForUpdate, databases)
    }

    private func calls(_ statement: Statement, _ databases: [DatabaseNumber]) throws(StorageError) -> [Call] {
        try Set(databases).sorted().map { database throws(StorageError) in
            let stored = try tenant.stored(database)
            return Call(statement) { $0.add(stored) }
        }
    }

    func read(_ answers: ArraySlice<Rows>) throws(StorageError) -> [DatabaseNumber: HeadRow] {
        var heads: [DatabaseNumber: HeadRow] = [:]
        for row in answers.lazy.compactMap(\.first) {
            let head = try read(row)
            heads[head.database] = head
        }
        return heads
    }

    /// Columns of a head, in the order of ``read(_:)-(Row)``.
    static let columns = """
        db, kind, owner, seq, last_record_no, last_zone_no, last_time, purged_seq, watchers, records, record_bytes, \
        tombstones, refs, events, zones, live_zones, cascades, index_version, trash, assets, asset_bytes, rows_digest
        """
    /// How many there are; others may follow.
    static let columnCount: Int32 = 22

    func read(_ row: Row) throws(StorageError) -> HeadRow {
        var head = HeadRow(
            database: tenant.database(row.int(0)), kind: try row.kind(1, of: DatabaseKind.self),
            owner: try row.optionalUser(2))
        head.sequence = row.int(3)
        head.recordNumber = row.int(4)
        head.zoneNumber = row.int(5)
        head.time = row.int(6)
        head.purgedSequence = row.int(7)
        head.watchers = Watchers(rawValue: row.int(8))
        head.records = row.int(9)
        head.recordBytes = row.int(10)
        head.tombstones = row.int(11)
        head.references = row.int(12)
        head.events = row.int(13)
        head.zones = row.int(14)
        head.liveZones = row.int(15)
        head.cascades = row.int(16)
        head.indexVersion = row.int(17)
        head.trash = row.int(18)
        head.assets = row.int(19)
        head.assetBytes = row.int(20)
        head.rowsDigest = row.int(21)
        return head
    }

    private static let oneSQL = "SELECT \(columns) FROM heads WHERE db = $1"
    private static let one = Statement(oneSQL)
    private static let oneForUpdate = Statement("\(oneSQL) FOR UPDATE")
}
