import CloudKitWire
import NephosStorage

/// Reads of the tables `change_events` and `event_records`.
final class EventReader {
    private let tables: TableReader
    private let saved: Query
    private let copied: Query

    init(_ connection: Connection, _ tables: TableReader) {
        self.tables = tables
        saved = Query(
            connection,
            """
            SELECT \(RecordColumns.list) FROM records INDEXED BY records_by_seq WHERE db = ? AND zone_no = ? AND seq = ?
            """)
        copied = Query(
            connection, "SELECT \(RecordColumns.list) FROM event_records WHERE db = ? AND event_seq = ?")
    }

    func changes(_ scan: EventScan) throws(StorageError) -> [WatchedChange] {
        var changes: [WatchedChange] = []
        var bytes = 0
        for event in try tables.rows(ChangeEventRow.oldest(in: scan.database, limit: scan.limit))
        where bytes <= scan.byteLimit {
            let record = event.hasRecord ? try record(of: event) : nil
            bytes += record?.fields.count ?? 0
            changes.append(WatchedChange(event: event, record: record))
        }
        return changes
    }

    /// The record, unless it was saved or deleted again since; the copy from then, if it was.
    private func record(of event: ChangeEventRow) throws(StorageError) -> RecordRow? {
        var current = try saved.start()
        current.bind(event.database)
        current.bind(event.zone)
        current.bind(event.sequence)
        if try current.next() { return try RecordPage.row(current, database: event.database) }
        var cursor = try copied.start()
        cursor.bind(event.database)
        cursor.bind(event.sequence)
        return try cursor.next() ? try RecordPage.row(cursor, database: event.database) : nil
    }
}
