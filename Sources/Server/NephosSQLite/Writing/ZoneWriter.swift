import CloudKitWire
import NephosStorage

/// Writes of the table `zones`.
struct ZoneWriter {
    let connection: Connection

    /// - Parameter moved: Receives zones that only move in their feed, to be written later by ``move(_:)``.
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

    func insert(_ zone: ZoneRow) throws(StorageError) { try write(zone, Self.insertion) }

    func update(_ zone: ZoneRow) throws(StorageError) { try write(zone, Self.change) }

    /// The change of a zone by every save of a record. SQLite then writes only the index by sequence.
    func move(_ zone: ZoneRow) throws(StorageError) {
        try expectOne(
            zone,
            connection.run(
                Self.move, zone.changedSequence, zone.clientToken, zone.checksum, zone.database, zone.number))
    }

    private func write(_ zone: ZoneRow, _ statement: Statement) throws(StorageError) {
        let touched = try connection.run(
            statement, zone.name, zone.state.rawValue, zone.createdSequence, zone.changedSequence, zone.purgedSequence,
            zone.createdAt, zone.deletedAt, zone.clientToken, zone.sharing.rawValue, zone.checksum, zone.database,
            zone.number)
        try expectOne(zone, touched)
    }

    private func expectOne(_ zone: ZoneRow, _ touched: Int64) throws(StorageError) {
        guard touched == 1 else { throw .failed("zone \(zone.number) to change does not exist") }
    }

    private static let key = Array(ZoneRow.columns.prefix(2))
    private static let state = ZoneRow.columns.dropFirst(2) + ["checksum"]
    private static let insertion = Statement(TableSQL.insertion(into: "zones", state + key))
    private static let change = Statement(TableSQL.change(of: "zones", Array(state), key: key))
    private static let move = Statement(
        TableSQL.change(of: "zones", ["changed_seq", "client_token", "checksum"], key: key))
}

extension ZoneRow {
    /// Whether `next` differs only in the sequence of the last change and the client token.
    fileprivate func isMoved(to next: ZoneRow) -> Bool {
        var moved = self
        moved.changedSequence = next.changedSequence
        moved.clientToken = next.clientToken
        return moved == next
    }
}
