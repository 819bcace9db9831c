import CloudKitWire
import NephosStorage

/// Reads of the tables `change_events` and `event_records`.
struct EventReader {
    let connection: Connection

    func changes(_ scan: EventScan) throws(StorageError) -> [WatchedChange] {
        let events = ChangeEventRow.oldest(in: scan.database, limit: scan.limit)
        var changes: [WatchedChange] = []
        var bytes = 0
        for event in try TableReader(connection: connection).rows(events) where bytes <= scan.byteLimit {
            let record = event.hasRecord ? try record(of: event) : nil
            bytes += record?.fields.count ?? 0
            changes.append(WatchedChange(event: event, record: record))
        }
        return changes
    }

    /// The stored record, or the copy if it was saved or deleted again since.
    private func record(of event: ChangeEventRow) throws(StorageError) -> RecordRow? {
        var saved = try connection.start(Self.saved, event.database, event.zone, event.sequence)
        if try saved.next() { return try RecordPage.row(saved, database: event.database) }
        return try connection.first(Self.copied, event.database, event.sequence) { row throws(StorageError) in
            try RecordPage.row(row, database: event.database)
        }
    }

    private static let saved = Statement(
        "SELECT \(RecordColumns.list) FROM records INDEXED BY records_by_seq WHERE db = ? AND zone_no = ? AND seq = ?")
    private static let copied = Statement(
        "SELECT \(RecordColumns.list) FROM event_records WHERE db = ? AND event_seq = ?")
}
