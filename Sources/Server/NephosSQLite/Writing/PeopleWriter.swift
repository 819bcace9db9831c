import CloudKitWire
import NephosStorage

/// Adds rows to the tables `users` and `events`.
final class PeopleWriter {
    private let userInsertion: Query
    private let eventInsertion: Query

    init(_ connection: Connection) {
        userInsertion = Query(
            connection,
            "INSERT INTO users (id, source, source_id, private_db, created_at, checksum) VALUES (?,?,?,?,?,?)")
        eventInsertion = Query(
            connection,
            """
            INSERT INTO events (db, seq, zone_no, kind, name, client, checksum, old_fields, new_fields)
            VALUES (?,?,?,?,?,?,?,?,?)
            """)
    }

    func insert(_ user: UserRow) throws(StorageError) {
        var cursor = try userInsertion.start()
        cursor.bind(user.id)
        cursor.bind(user.source.rawValue)
        cursor.bind(user.sourceID)
        cursor.bind(user.privateDatabase)
        cursor.bind(user.createdAt)
        cursor.bind(user.checksum)
        try cursor.finish()
    }

    func insert(_ event: ChangeEventRow, _ ledger: inout Ledger) throws(StorageError) {
        try ledger.check(event.sequence, in: event.database)
        var cursor = try eventInsertion.start()
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
