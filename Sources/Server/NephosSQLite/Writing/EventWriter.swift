import CloudKitWire
import NephosStorage

/// Writes of the tables `change_events` and `event_records`.
final class EventWriter {
    private let connection: Connection
    private let tables: TableWriter
    private let copy: Query
    private let copyOfOld: Query
    private let removalOfCopy: Query

    init(_ connection: Connection, _ tables: TableWriter) {
        self.connection = connection
        self.tables = tables
        copy = Query(
            connection,
            """
            INSERT INTO event_records (db, event_seq, \(RecordColumns.list), checksum)
            SELECT db, ?, \(RecordColumns.list), checksum FROM records WHERE db = ? AND zone_no = ? AND name = ?
            """)
        copyOfOld = Query(
            connection,
            """
            INSERT INTO event_records (db, event_seq, \(RecordColumns.list), checksum)
            SELECT db, seq, \(RecordColumns.list), checksum FROM records AS r
            WHERE \(RowKey.isBound) AND EXISTS (
                SELECT 1 FROM change_events AS e WHERE e.db = r.db AND e.seq = r.seq AND e.has_record = 1)
            """)
        removalOfCopy = Query(connection, "DELETE FROM event_records WHERE db = ? AND event_seq = ?")
    }

    /// Adds events. A deletion's record is copied where a query watches, so it must still be there; what was saved is read
    /// where it lies, until something else overwrites it (``keep(_:in:_:)``).
    func insert(_ events: some Swift.Sequence<ChangeEventRow>, _ ledger: inout Ledger) throws(StorageError) {
        for event in events {
            var event = event
            event.hasRecord = ledger.keepsRecord(of: event)
            if event.hasRecord, event.kind == .deleted { try copyRecord(of: event) }
            try tables.apply(RowChange(event), &ledger)
        }
    }

    /// Copies a record that is about to change or to go, if somebody is still to be told of it as it stands.
    func keep(_ record: RecordNumber, in database: DatabaseNumber, _ ledger: Ledger) throws(StorageError) {
        guard let head = ledger.head(database), head.events > 0 else { return }
        var cursor = try copyOfOld.start()
        cursor.bind(database)
        cursor.bind(record)
        try cursor.finish()
    }

    private func copyRecord(of event: ChangeEventRow) throws(StorageError) {
        var cursor = try copy.start()
        cursor.bind(event.sequence)
        cursor.bind(event.database)
        cursor.bind(event.zone)
        cursor.bind(event.name)
        try cursor.finish()
        guard connection.changes == 1 else { throw .failed("the record of event \(event.sequence) is not there") }
    }

    /// Of an event that goes.
    func forgetCopy(of event: ChangeEventRow) throws(StorageError) {
        var cursor = try removalOfCopy.start()
        cursor.bind(event.database)
        cursor.bind(event.sequence)
        try cursor.finish()
    }
}
