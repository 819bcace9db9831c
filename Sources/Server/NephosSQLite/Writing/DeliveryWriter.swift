import CloudKitWire
import NephosStorage

/// Writes of the tables `deliveries` and `push_log`.
final class DeliveryWriter {
    private let connection: Connection
    private let insertion: Query
    private let change: Query
    private let removal: Query
    private let note: Query
    private let forgetting: Query

    init(_ connection: Connection) {
        self.connection = connection
        insertion = Query(
            connection,
            """
            INSERT INTO deliveries (
                db, device, source_db, subscription, slot, user_id, channel, seq, changes, created_at, due_at,
                leased_until, attempts, collapse_id, checksum, payload
            ) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)
            """)
        change = Query(
            connection,
            """
            UPDATE deliveries SET user_id = ?, channel = ?, seq = ?, changes = ?, created_at = ?, due_at = ?, leased_until = ?,
                attempts = ?, collapse_id = ?, checksum = ?, payload = ?
            WHERE db = ? AND device = ? AND source_db = ? AND subscription = ? AND slot = ? AND checksum = ?
            """)
        removal = Query(
            connection,
            """
            DELETE FROM deliveries
            WHERE db = ? AND device = ? AND source_db = ? AND subscription = ? AND slot = ? AND checksum = ?
            """)
        note = Query(
            connection,
            """
            INSERT INTO push_log (\(PushLogReader.columns), checksum) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)
            """)
        forgetting = Query(connection, "DELETE FROM push_log WHERE at = ? AND nonce = ?")
    }

    func apply(_ write: DeliveryWrite) throws(StorageError) {
        switch (write.old, write.new) {
        case (nil, let new?):
            var cursor = try insertion.start()
            cursor.bind(new.key)
            cursor.bindState(of: new)
            try cursor.finish()
        case (let old?, let new?):
            var cursor = try change.start()
            cursor.bindState(of: new)
            cursor.bind(old.key)
            cursor.bind(old.checksum)
            try cursor.finish()
            try expectOne()
        case (let old?, nil):
            var cursor = try removal.start()
            cursor.bind(old.key)
            cursor.bind(old.checksum)
            try cursor.finish()
            try expectOne()
        case (nil, nil): break
        }
    }

    /// The row lay there just as it was read.
    private func expectOne() throws(StorageError) {
        guard connection.changes == 1 else { throw .failed("a delivery to change is not there") }
    }

    func add(_ entry: PushLogRow) throws(StorageError) {
        var cursor = try note.start()
        for number in [entry.database, entry.at, entry.nonce] { cursor.bind(number) }
        cursor.bind(entry.user)
        cursor.bind(blob: entry.device)
        cursor.bind(entry.channel.rawValue)
        cursor.bind(entry.source)
        cursor.bind(entry.subscription)
        for number in [entry.outcome.rawValue, entry.changes, entry.attempt, entry.milliseconds] { cursor.bind(number) }
        cursor.bind(entry.answer)
        cursor.bind(entry.checksum)
        try cursor.finish()
    }

    func forget(_ entry: PushLogRow) throws(StorageError) {
        var cursor = try forgetting.start()
        cursor.bind(entry.at)
        cursor.bind(entry.nonce)
        try cursor.finish()
    }
}

extension Cursor {
    fileprivate mutating func bindState(of row: DeliveryRow) {
        bind(row.user)
        for number in [
            row.channel.rawValue, row.sequence, row.changes, row.createdAt, row.dueAt, row.leasedUntil, row.attempts,
        ] { bind(number) }
        bind(row.collapseID)
        bind(row.checksum)
        bind(text: row.payload)
    }
}
