import CloudKitWire
import NephosStorage

/// Writes of the tables `change_events` and `event_records`.
final class EventWriter {
    private let connection: Connection
    private let insertion: Query
    private let copy: Query
    private let copyOfOld: Query
    private let progress: Query
    private let removal: Query
    private let removalOfCopy: Query

    init(_ connection: Connection) {
        self.connection = connection
        insertion = Query(
            connection, TableSQL.insertion(into: "change_events", ChangeEventRow.columns + ["checksum"]))
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
        progress = Query(
            connection, "UPDATE change_events SET told_to = ?, checksum = ? WHERE db = ? AND seq = ? AND checksum = ?")
        removal = Query(connection, "DELETE FROM change_events WHERE db = ? AND seq = ? AND checksum = ?")
        removalOfCopy = Query(connection, "DELETE FROM event_records WHERE db = ? AND event_seq = ?")
    }

    /// Adds events. A deletion's record is copied where a query watches, so it must still be there; what was saved is read
    /// where it lies, until something else overwrites it (``keep(_:in:_:)``).
    func insert(_ events: some Swift.Sequence<ChangeEventRow>, _ ledger: inout Ledger) throws(StorageError) {
        for event in events {
            try ledger.check(event.sequence, in: event.database)
            var event = event
            event.hasRecord = ledger.keepsRecord(of: event)
            if event.hasRecord, event.kind == .deleted { try copyRecord(of: event) }
            var cursor = try insertion.start()
            cursor.bind(event.database)
            cursor.bind(event.sequence)
            cursor.bind(event.zone)
            cursor.bind(event.kind.rawValue)
            cursor.bind(event.name)
            cursor.bind(event.client)
            cursor.bind(event.hasRecord ? 1 : 0)
            cursor.bind(event.toldTo)
            cursor.bind(event.checksum)
            try cursor.finish()
            try ledger.count(event.database) { $0.events += 1 }
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

    /// Changes or removes an event that lies there just as it was read.
    func apply(_ told: ToldEvent, _ ledger: inout Ledger) throws(StorageError) {
        if let sequence = told.toldTo {
            var event = told.event
            event.toldTo = sequence
            var cursor = try progress.start()
            cursor.bind(sequence)
            cursor.bind(event.checksum)
            cursor.bind(event.database)
            cursor.bind(event.sequence)
            cursor.bind(told.event.checksum)
            try cursor.finish()
        } else {
            var cursor = try removal.start()
            cursor.bind(told.event.database)
            cursor.bind(told.event.sequence)
            cursor.bind(told.event.checksum)
            try cursor.finish()
        }
        guard connection.changes == 1 else { throw .failed("event \(told.event.sequence) is not as it was read") }
        // Counted where nothing else changes too: the head is this row's lock.
        try ledger.count(told.event.database) { $0.events -= told.toldTo == nil ? 1 : 0 }
        if told.toldTo == nil, told.event.hasRecord {
            var cursor = try removalOfCopy.start()
            cursor.bind(told.event.database)
            cursor.bind(told.event.sequence)
            try cursor.finish()
        }
    }
}
