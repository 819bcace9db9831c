import CloudKitWire
import NephosStorage

/// Writes of the tables `change_events` and `event_records`.
struct EventWriter {
    let connection: Connection
    let tables: TableWriter

    /// Adds events. The record of a deletion is copied if a query watches, so it must still exist; a saved record is read
    /// from its table, until something else overwrites it (``keep(_:in:_:)``).
    func insert(_ events: some Swift.Sequence<ChangeEventRow>, _ ledger: inout Ledger) throws(StorageError) {
        for event in events {
            var event = event
            event.hasRecord = ledger.keepsRecord(of: event)
            if event.hasRecord, event.kind.copiesRecord { try copyRecord(of: event) }
            try tables.apply(RowChange(event), &ledger)
        }
    }

    /// Copies a record that is about to be changed or removed, if an event about its current state is still to be sent.
    ///
    /// - Parameter next: Its next sequence; 0 if it is removed. With the same sequence it still belongs to the event.
    func keep(
        _ record: RecordNumber, in database: DatabaseNumber, _ ledger: Ledger, nextSequence next: Sequence = 0
    ) throws(StorageError) {
        guard let head = ledger.head(database), head.events > 0 else { return }
        try connection.run(Self.copyOfOld, database, record, next)
    }

    private func copyRecord(of event: ChangeEventRow) throws(StorageError) {
        guard try connection.run(Self.copy, event.sequence, event.database, event.zone, event.name) == 1 else {
            throw .failed("the record of event \(event.sequence) does not exist")
        }
    }

    /// Removes the copy of an event that is removed.
    func forgetCopy(of event: ChangeEventRow) throws(StorageError) {
        try connection.run(Self.removalOfCopy, event.database, event.sequence)
    }

    private static let copy = Statement(
        """
        INSERT INTO event_records (db, event_seq, \(RecordColumns.list), checksum)
        SELECT db, ?, \(RecordColumns.list), checksum FROM records WHERE db = ? AND zone_no = ? AND name = ?
        """)
    private static let copyOfOld = Statement(
        """
        INSERT INTO event_records (db, event_seq, \(RecordColumns.list), checksum)
        SELECT db, seq, \(RecordColumns.list), checksum FROM records AS r
        WHERE \(RowKey.isBound) AND seq <> ? AND EXISTS (
            SELECT 1 FROM change_events AS e WHERE e.db = r.db AND e.seq = r.seq AND e.has_record = 1)
        """)
    private static let removalOfCopy = Statement("DELETE FROM event_records WHERE db = ? AND event_seq = ?")
}
