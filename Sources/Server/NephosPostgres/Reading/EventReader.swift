import CloudKitWire
import NephosStorage

/// Reads of the tables `change_events` and `event_records`.
struct EventReader {
    let tenant: TenantNumber

    /// Of a table with the alias `e`.
    private static let columns = ChangeEventRow.columns.map { "e.\($0)" }.joined(separator: ", ")

    /// The events of the scan's first database, and which is the next that has some.
    func changes(_ scan: EventScan) throws(StorageError) -> [Call] {
        let stored = try tenant.stored(scan.from)
        let next = Call(Self.nextDatabase) {
            $0.add(stored)
            $0.add(tenant.range.upperBound)
        }
        return [changes(scan, stored), next]
    }

    private func changes(_ scan: EventScan, _ stored: Int64) -> Call {
        Call(scan.hasRecords ? Self.page : Self.events) {
            $0.add(stored)
            $0.add(Int64(scan.limit))
            if scan.hasRecords { $0.add(Int64(scan.byteLimit)) }
        }
    }

    /// The events of the first database that has some. Mostly that is the scan's first, and nothing more is asked for.
    ///
    /// - Parameter answers: Those of ``changes(_:)``.
    /// - Returns: nil where more is to be asked for and the transaction has ended.
    func rows(
        _ answers: ArraySlice<Rows>, _ scan: EventScan, _ transaction: Transaction
    ) throws(StorageError) -> Rows? {
        guard let first = answers.first, first.count == 0, let next = answers.last?.first?.int(0) else {
            return answers.first
        }
        return transaction.isEnded ? nil : try transaction.run([changes(scan, next)]).first
    }

    func read(_ rows: Rows, _ scan: EventScan) throws(StorageError) -> [WatchedChange] {
        guard scan.hasRecords else {
            return try rows.map { row throws(StorageError) in
                WatchedChange(event: try ChangeEventRow(row), record: nil)
            }
        }
        let records = RecordPage(rows, tenant)
        var changes: [WatchedChange] = []
        changes.reserveCapacity(rows.count)
        for index in 0..<rows.count {
            let row = rows[index]
            let record = row.isNull(RecordColumns.number) ? nil : try records.record(index)
            changes.append(WatchedChange(event: try ChangeEventRow(row, from: RecordColumns.count), record: record))
        }
        return changes
    }

    private static let events = Statement(
        """
        SELECT \(columns) FROM change_events AS e WHERE e.db = $1 ORDER BY e.seq LIMIT $2
        """)
    private static let nextDatabase = Statement(
        "SELECT db FROM change_events WHERE db > $1 AND db < $2 ORDER BY db, seq LIMIT 1")

    /// The record, unless it was saved or deleted again since; the copy from then, if it was.
    private static func record(_ columns: String) -> String {
        """
        LEFT JOIN LATERAL (
            SELECT \(columns) FROM records
            WHERE e.has_record = 1 AND db = $1 AND zone_no = e.zone_no AND seq = e.seq
            UNION ALL
            SELECT \(columns) FROM event_records WHERE e.has_record = 1 AND db = $1 AND event_seq = e.seq
            LIMIT 1
        ) AS r ON true
        """
    }

    /// The records come first, so that they are read as those of any page.
    private static let page = Statement(
        """
        SELECT \(RecordColumns.list(of: "r")), \(columns)
        FROM (
            SELECT e.*, coalesce(
                sum(r.size) OVER (ORDER BY e.seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)::bigint AS before
            FROM (
                SELECT * FROM change_events WHERE db = $1 ORDER BY seq LIMIT $2
            ) AS e
            \(record("size"))
        ) AS e
        \(record(RecordColumns.list))
        WHERE e.before <= $3
        ORDER BY e.seq
        """)
}
