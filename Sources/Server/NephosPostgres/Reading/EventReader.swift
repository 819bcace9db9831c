import CloudKitWire
import NephosStorage

/// Reads of the tables `change_events` and `event_records`.
struct EventReader {
    let tenant: TenantNumber

    func changes(_ scan: EventScan) throws(StorageError) -> Call {
        let stored = try tenant.stored(scan.database)
        return Call(Self.page, stored, Int64(scan.limit), Int64(scan.byteLimit))
    }

    func read(_ rows: Rows) throws(StorageError) -> [WatchedChange] {
        let records = RecordPage(rows, tenant)
        var changes: [WatchedChange] = []
        changes.reserveCapacity(rows.count)
        for index in 0..<rows.count {
            let row = rows[index]
            let record = row.isNull(RecordColumns.number) ? nil : try records.record(index)
            let event = try row.stored(ChangeEventRow.self, tenant, from: RecordColumns.count)
            changes.append(WatchedChange(event: event, record: record))
        }
        return changes
    }

    /// The stored record, or the copy if it was saved or deleted again since.
    private static func record(_ columns: String) -> String {
        """
        LEFT JOIN LATERAL (
            SELECT \(columns) FROM records
            WHERE t.has_record = 1 AND db = $1 AND zone_no = t.zone_no AND seq = t.seq
            UNION ALL
            SELECT \(columns) FROM event_records WHERE t.has_record = 1 AND db = $1 AND event_seq = t.seq
            LIMIT 1
        ) AS r ON true
        """
    }

    /// The columns of the records come first, so that they are read like those of any page.
    private static let page = Statement(
        """
        SELECT \(RecordColumns.list(of: "r")), \(TableSQL.list(ChangeEventRow.table))
        FROM (
            SELECT t.*, coalesce(
                sum(r.size) OVER (ORDER BY t.seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)::bigint AS before
            FROM (
                SELECT * FROM change_events WHERE db = $1 ORDER BY seq LIMIT $2
            ) AS t
            \(record("size"))
        ) AS t
        \(record(RecordColumns.list))
        WHERE t.before <= $3
        ORDER BY t.seq
        """)
}
