import CloudKitWire
import NephosStorage

/// Writes of the tables `change_events` and `event_records`.
final class EventWriter {
    private let connection: Connection
    private let insertion: Query
    private let copy: Query
    private let progress: Query
    private let removal: Query
    private let removalOfCopy: Query

    init(_ connection: Connection) {
        self.connection = connection
        insertion = Query(
            connection,
            """
            INSERT INTO change_events (db, seq, zone_no, kind, name, client, has_record, told_to, checksum)
            VALUES (?,?,?,?,?,?,?,?,?)
            """)
        copy = Query(
            connection,
            """
            INSERT INTO event_records (db, event_seq, \(RecordColumns.list), checksum)
            SELECT db, ?, \(RecordColumns.list), checksum FROM records WHERE db = ? AND zone_no = ? AND name = ?
            """)
        progress = Query(
            connection, "UPDATE change_events SET told_to = ?, checksum = ? WHERE db = ? AND seq = ? AND checksum = ?")
        removal = Query(connection, "DELETE FROM change_events WHERE db = ? AND seq = ? AND checksum = ?")
        removalOfCopy = Query(connection, "DELETE FROM event_records WHERE db = ? AND event_seq = ?")
    }

    /// Adds events while their records stand as they are to be told of, and keeps copies of these where a query watches.
    func insert(_ events: some Swift.Sequence<ChangeEventRow>, _ ledger: inout Ledger) throws(StorageError) {
        for event in events {
            try ledger.check(event.sequence, in: event.database)
            var event = event
            event.hasRecord = ledger.keepsRecord(of: event)
            if event.hasRecord { try copyRecord(of: event) }
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
