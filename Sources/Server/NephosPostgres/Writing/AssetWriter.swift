import CloudKitWire
import NephosStorage

/// Writes of the tables `assets` and `asset_refs`.
///
/// When the last record that holds a file releases it, the time is stored in the file's row. A record that holds it again resets that.
struct AssetWriter {
    let tenant: TenantNumber
    let transaction: Transaction

    /// A record that holds files, or one in the trash.
    struct Holder {
        var database: DatabaseNumber
        var zone: ZoneNumber
        var record: RecordNumber
    }

    /// Stores which files the written records hold from now on.
    func apply(_ writes: [RecordWrite], _ ledger: inout Ledger) throws(StorageError) {
        var replaced: [Holder] = []
        var rows: [AssetUseRow] = []
        for write in writes {
            guard let uses = write.assets else { continue }
            let record = write.new
            if let old = write.old, old.number == record.number, old.flags.contains(.assets) {
                replaced.append(Holder(old))
            }
            rows += uses.map {
                AssetUseRow(database: record.database, zone: record.zone, record: record.number, use: $0)
            }
        }
        try release(of: replaced, &ledger)
        try hold(rows, &ledger)
    }

    private func hold(_ uses: [AssetUseRow], _ ledger: inout Ledger) throws(StorageError) {
        for (database, rows) in uses.groups(by: \.database) {
            let stored = try tenant.stored(database)
            let files = Array(Set(rows.map { AssetUse(address: $0.use.address, size: $0.use.size) }))
            transaction.later(Self.claim, stored, files.map { $0.address[...] }, files.map(\.size), Int64(files.count))
        }
        let tables = TableWriter(tenant: tenant, transaction: transaction, tables: .server)
        try tables.apply(uses.map { RowChange($0) }, &ledger)
    }

    /// Releases all files of records. Reads how many these are, since stubs do not contain that.
    func release(of holders: [Holder], _ ledger: inout Ledger) throws(StorageError) {
        for (database, rows) in holders.groups(by: \.database) {
            let gone = try release(of: rows, in: database, at: ledger.head(database)?.time ?? 0)
            try ledger.count(database) {
                $0.assets -= gone.uses
                $0.assetBytes -= gone.bytes
            }
        }
    }

    /// - Returns: The number of places, and the bytes of their files.
    func release(
        of holders: [Holder], in database: DatabaseNumber, at time: Milliseconds
    ) throws(StorageError) -> (uses: Int64, bytes: Int64) {
        // A file that is released at time 0 would look like one that is held.
        let rows = try transaction.run(
            Self.removal, try tenant.stored(database), holders.map(\.zone), holders.map(\.record), max(time, 1))
        guard let sums = rows.first else { throw .failed("released files were not counted") }
        return (sums.int(0), sums.int(1))
    }

    // MARK: Statements

    private static let claim = Statement(
        Guard.touching(
            "$4",
            """
            UPDATE assets AS a SET released_at = 0 FROM unnest($2::bytea[], $3::bigint[]) AS n (address, size)
            WHERE a.db = $1 AND a.address = n.address AND a.size = n.size RETURNING 1
            """))

    /// Sets the time of release of files that no record holds any more. The rows in `gone` are deleted by the same statement,
    /// which still sees them.
    ///
    /// - Parameter time: A parameter of the statement.
    static func release(at time: String) -> String {
        """
        UPDATE assets AS a SET released_at = \(time) FROM (SELECT DISTINCT address FROM gone) AS g
        WHERE a.db = $1 AND a.address = g.address AND coalesce((
            SELECT false FROM asset_refs AS r WHERE r.db = $1 AND r.address = g.address AND NOT EXISTS (
                SELECT 1 FROM gone AS x
                WHERE x.zone_no = r.zone_no AND x.record_no = r.record_no AND x.address = r.address)
            LIMIT 1), true)
        RETURNING 1
        """
    }

    private static let removal = Statement(
        """
        WITH gone AS (
            DELETE FROM asset_refs AS r USING unnest($2::bigint[], $3::bigint[]) AS k (zone_no, record_no)
            WHERE r.db = $1 AND r.zone_no = k.zone_no AND r.record_no = k.record_no
            RETURNING r.zone_no, r.record_no, r.address, r.uses, r.size
        ), released AS (\(release(at: "$4")))
        SELECT coalesce(sum(uses), 0)::bigint, coalesce(sum(uses * size), 0)::bigint FROM gone
        """)
}

extension AssetWriter.Holder {
    init(_ record: RecordStub) { self.init(database: record.database, zone: record.zone, record: record.number) }
}
