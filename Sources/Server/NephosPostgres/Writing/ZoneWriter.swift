import CloudKitWire
import NephosStorage

/// Writes of the table `zones`.
struct ZoneWriter {
    let tenant: TenantNumber
    let transaction: Transaction

    func apply(_ write: ZoneWrite, _ ledger: inout Ledger) throws(StorageError) {
        try ledger.check(write)
        try self.write(write.new, write.old == nil ? Self.insertion : Self.change)
        try ledger.count(write)
    }

    func insert(_ zone: ZoneRow) throws(StorageError) { try write(zone, Self.insertion) }

    func update(_ zone: ZoneRow) throws(StorageError) { try write(zone, Self.change) }

    private func write(_ zone: ZoneRow, _ statement: Statement) throws(StorageError) {
        transaction.later(
            statement, zone.name, zone.state.rawValue, zone.createdSequence, zone.changedSequence, zone.purgedSequence,
            zone.createdAt, zone.deletedAt, zone.clientToken?[...], zone.sharing.rawValue, zone.checksum,
            try tenant.stored(zone.database), zone.number)
    }

    private static let key = Array(ZoneRow.columns.prefix(2))
    private static let state = Array(ZoneRow.columns.dropFirst(2)) + ["checksum"]
    private static let insertion = Statement.insertion(into: "zones", state + key)
    private static let change = Statement.change(of: "zones", state, key: key)
}
