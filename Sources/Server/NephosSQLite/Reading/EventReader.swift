import CloudKitWire
import NephosStorage

/// Reads of the tables `change_events` and `event_records`.
final class EventReader {
    /// In the order of ``event(_:)``.
    static let columns = "e.db, e.seq, e.zone_no, e.kind, e.name, e.client, e.has_record, e.told_to"
    /// How many there are; others may follow.
    static let columnCount: Int32 = 8

    private let events: Query
    private let saved: Query
    private let copied: Query

    init(_ connection: Connection) {
        events = Query(
            connection,
            """
            SELECT \(Self.columns) FROM change_events e
            WHERE e.db = (SELECT db FROM change_events WHERE db >= ? ORDER BY db LIMIT 1) ORDER BY e.seq LIMIT ?
            """)
        saved = Query(
            connection,
            """
            SELECT \(RecordColumns.list) FROM records INDEXED BY records_by_seq WHERE db = ? AND zone_no = ? AND seq = ?
            """)
        copied = Query(
            connection, "SELECT \(RecordColumns.list) FROM event_records WHERE db = ? AND event_seq = ?")
    }

    func changes(_ scan: EventScan) throws(StorageError) -> [WatchedChange] {
        var cursor = try events.start()
        cursor.bind(scan.from)
        cursor.bind(Int64(scan.limit))
        var changes: [WatchedChange] = []
        var bytes = 0
        while bytes <= scan.byteLimit, try cursor.next() {
            let event = try Self.event(cursor)
            let record = event.hasRecord && scan.hasRecords ? try record(of: event) : nil
            bytes += record?.fields.count ?? 0
            changes.append(WatchedChange(event: event, record: record))
        }
        return changes
    }

    /// Reads ``columns``.
    static func event(_ cursor: borrowing Cursor) throws(StorageError) -> ChangeEventRow {
        var event = ChangeEventRow(
            database: cursor.int(0), sequence: cursor.int(1), zone: cursor.int(2), name: cursor.name(4),
            kind: try cursor.kind(3, of: ChangeEventRow.Kind.self), client: cursor.string(5))
        event.hasRecord = try cursor.bool(6)
        event.toldTo = cursor.int(7)
        return event
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
