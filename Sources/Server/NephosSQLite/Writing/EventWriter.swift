import CloudKitWire
import NephosStorage

/// Adds rows to the table `events`.
final class EventWriter {
    private let insertion: Query

    init(_ connection: Connection) {
        insertion = Query(
            connection,
            """
            INSERT INTO events (db, seq, zone_no, kind, name, client, checksum, old_fields, new_fields)
            VALUES (?,?,?,?,?,?,?,?,?)
            """)
    }

    func insert(_ event: ChangeEventRow, _ ledger: inout Ledger) throws(StorageError) {
        try ledger.check(event.sequence, in: event.database)
        var cursor = try insertion.start()
        cursor.bind(event.database)
        cursor.bind(event.sequence)
        cursor.bind(event.zone)
        cursor.bind(event.kind.rawValue)
        cursor.bind(event.name)
        cursor.bind(event.client)
        cursor.bind(event.checksum)
        cursor.bind(text: event.oldFields)
        cursor.bind(text: event.newFields)
        try cursor.finish()
        try ledger.count(event.database) { $0.events += 1 }
    }
}
