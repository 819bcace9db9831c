import CloudKitWire
import NephosStorage

/// Writes of the table `zones`.
final class ZoneWriter {
    private let connection: Connection
    private let insertion: Query
    private let change: Query
    private let move: Query
    private let removal: Query

    init(_ connection: Connection) {
        self.connection = connection
        let (columns, key) = (ZoneRow.columns + ["checksum"], Array(ZoneRow.columns.prefix(2)))
        insertion = Query(connection, TableSQL.insertion(into: "zones", columns))
        change = Query(connection, TableSQL.change(of: "zones", Array(columns.dropFirst(2)), key: key))
        move = Query(
            connection, TableSQL.change(of: "zones", ["changed_seq", "client_token", "checksum"], key: key))
        removal = Query(connection, "DELETE FROM zones WHERE db = ? AND zone_no = ?")
    }

    /// - Parameter moved: Takes in what only moves in its feed, to be written later by ``move(_:)``.
    func apply(_ write: ZoneWrite, _ ledger: inout Ledger, _ moved: inout MovedRows) throws(StorageError) {
        let zone = write.new
        try ledger.check(write)
        if let old = write.old {
            if old.isMoved(to: zone) { return moved.move(zone) }
            moved.forget(old)
            try update(zone)
        } else {
            try insert(zone)
        }
        try ledger.count(write)
    }

    func update(_ zone: ZoneRow) throws(StorageError) {
        var cursor = try change.start()
        bindState(of: zone, to: &cursor)
        cursor.bind(zone.database)
        cursor.bind(zone.number)
        try finish(&cursor, of: zone)
    }

    /// What every save of a record does to its zone. SQLite then leaves all indexes alone but the one by sequence.
    func move(_ zone: ZoneRow) throws(StorageError) {
        var cursor = try move.start()
        cursor.bind(zone.changedSequence)
        cursor.bind(blob: zone.clientToken)
        cursor.bind(zone.checksum)
        cursor.bind(zone.database)
        cursor.bind(zone.number)
        try finish(&cursor, of: zone)
    }

    private func finish(_ cursor: inout Cursor, of zone: ZoneRow) throws(StorageError) {
        try cursor.finish()
        guard connection.changes == 1 else { throw .failed("zone \(zone.number) to change is not there") }
    }

    func remove(_ zone: ZoneNumber, in database: DatabaseNumber) throws(StorageError) {
        var cursor = try removal.start()
        cursor.bind(database)
        cursor.bind(zone)
        try cursor.finish()
    }

    func insert(_ zone: ZoneRow) throws(StorageError) {
        var cursor = try insertion.start()
        cursor.bind(zone.database)
        cursor.bind(zone.number)
        bindState(of: zone, to: &cursor)
        try cursor.finish()
    }

    private func bindState(of zone: ZoneRow, to cursor: inout Cursor) {
        cursor.bind(zone.name)
        cursor.bind(zone.state.rawValue)
        cursor.bind(zone.createdSequence)
        cursor.bind(zone.changedSequence)
        cursor.bind(zone.purgedSequence)
        cursor.bind(zone.createdAt)
        cursor.bind(zone.deletedAt)
        cursor.bind(blob: zone.clientToken)
        cursor.bind(zone.checksum)
    }
}

extension ZoneRow {
    /// Whether `next` is the same but for the sequence of the last change and what came with it.
    fileprivate func isMoved(to next: ZoneRow) -> Bool {
        var moved = self
        moved.changedSequence = next.changedSequence
        moved.clientToken = next.clientToken
        return moved == next
    }
}
