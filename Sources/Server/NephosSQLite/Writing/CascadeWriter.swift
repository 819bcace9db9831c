import CloudKitWire
import NephosStorage

/// Writes of the table `cascades`.
final class CascadeWriter {
    private let connection: Connection
    private let insertion: Query
    private let replacement: Query
    private let removal: Query

    init(_ connection: Connection) {
        self.connection = connection
        insertion = Query(
            connection, "INSERT INTO cascades (db, zone_no, target, seq, checksum) VALUES (?,?,?,?,?)")
        replacement = Query(connection, "DELETE FROM cascades WHERE db = ? AND zone_no = ? AND target = ?")
        removal = Query(connection, "DELETE FROM cascades WHERE db = ? AND zone_no = ? AND target = ? AND seq = ?")
    }

    /// A target that waits already was saved and deleted again since; the later deletion counts.
    func insert(_ row: PendingCascadeRow, _ ledger: inout Ledger) throws(StorageError) {
        var old = try replacement.start()
        old.bind(row.database)
        old.bind(row.zone)
        old.bind(row.target)
        try old.finish()
        let replaced = connection.changes
        var cursor = try insertion.start()
        cursor.bind(row.database)
        cursor.bind(row.zone)
        cursor.bind(row.target)
        cursor.bind(row.sequence)
        cursor.bind(row.checksum)
        try cursor.finish()
        try ledger.count(row.database) { $0.cascades += 1 - replaced }
    }

    /// One that waits since a later deletion stays: its holders are others.
    func remove(_ row: PendingCascadeRow, _ ledger: inout Ledger) throws(StorageError) {
        var cursor = try removal.start()
        cursor.bind(row.database)
        cursor.bind(row.zone)
        cursor.bind(row.target)
        cursor.bind(row.sequence)
        try cursor.finish()
        let removed = connection.changes
        try ledger.count(row.database) { $0.cascades -= removed }
    }
}
