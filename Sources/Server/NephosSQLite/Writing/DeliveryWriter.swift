import CloudKitWire
import NephosStorage

/// Writes of the table `deliveries`.
final class DeliveryWriter {
    private let connection: Connection
    private let insertion: Query
    private let change: Query
    private let removal: Query

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
