import CloudKitWire
import NephosStorage

/// Writes of the table `subscriptions`.
final class SubscriptionWriter {
    private let connection: Connection
    private let insertion: Query
    private let removal: Query

    init(_ connection: Connection) {
        self.connection = connection
        insertion = Query(
            connection,
            """
            INSERT INTO subscriptions (db, user_id, name, seq, kind, created_at, checksum, dictionary)
            VALUES (?,?,?,?,?,?,?,?)
            """)
        removal = Query(
            connection, "DELETE FROM subscriptions WHERE db = ? AND user_id = ? AND name = ? AND checksum = ?")
    }

    func apply(_ write: SubscriptionWrite, _ ledger: inout Ledger) throws(StorageError) {
        if let old = write.old { try remove(old, &ledger) }
        if let new = write.new { try insert(new, &ledger) }
    }

    private func insert(_ row: SubscriptionRow, _ ledger: inout Ledger) throws(StorageError) {
        try ledger.check(row.sequence, in: row.database)
        var cursor = try insertion.start()
        cursor.bind(row.database)
        cursor.bind(row.user)
        cursor.bind(row.name)
        cursor.bind(row.sequence)
        cursor.bind(row.kind.rawValue)
        cursor.bind(row.createdAt)
        cursor.bind(row.checksum)
        cursor.bind(text: row.dictionary)
        try cursor.finish()
        try ledger.count(row.database) { $0.watchers += row.watching }
    }

    /// Removes a row that lies there just as it was read.
    private func remove(_ row: SubscriptionRow, _ ledger: inout Ledger) throws(StorageError) {
        var cursor = try removal.start()
        cursor.bind(row.database)
        cursor.bind(row.user)
        cursor.bind(row.name)
        cursor.bind(row.checksum)
        try cursor.finish()
        guard connection.changes == 1 else { throw .failed("a subscription to change is not there") }
        try ledger.count(row.database) { $0.watchers -= row.watching }
    }
}
