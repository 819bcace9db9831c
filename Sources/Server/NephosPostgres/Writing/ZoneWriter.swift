import CloudKitWire
import NephosStorage

/// Writes of the table `zones`.
enum ZoneWriter {
    static func apply(
        _ write: ZoneWrite, _ ledger: inout Ledger, _ tenant: TenantNumber, _ transaction: Transaction
    ) throws(StorageError) {
        try ledger.check(write)
        try (write.old == nil ? insert : update)(write.new, tenant, transaction)
        try ledger.count(write)
    }

    static func update(
        _ zone: ZoneRow, _ tenant: TenantNumber, _ transaction: Transaction
    ) throws(StorageError) {
        let database = try tenant.stored(zone.database)
        transaction.later(change) {
            $0.addState(of: zone)
            $0.add(database)
            $0.add(zone.number)
        }
    }

    static func insert(
        _ zone: ZoneRow, _ tenant: TenantNumber, _ transaction: Transaction
    ) throws(StorageError) {
        let database = try tenant.stored(zone.database)
        transaction.later(insertion) {
            $0.addState(of: zone)
            $0.add(database)
            $0.add(zone.number)
        }
    }

    static func remove(
        _ zone: ZoneNumber, in database: DatabaseNumber, _ tenant: TenantNumber, _ transaction: Transaction
    ) throws(StorageError) {
        let database = try tenant.stored(database)
        transaction.later(removal) {
            $0.add(database)
            $0.add(zone)
        }
    }

    private static let key = Array(ZoneRow.columns.prefix(2))
    private static let state = Array(ZoneRow.columns.dropFirst(2)) + ["checksum"]
    private static let insertion = Statement.insertion(into: "zones", state + key)
    private static let change = Statement.change(of: "zones", state, key: key)
    private static let removal = Statement("DELETE FROM zones WHERE db = $1 AND zone_no = $2")
}

extension Values {
    fileprivate mutating func addState(of zone: ZoneRow) {
        add(zone.name)
        add(zone.state.rawValue)
        add(zone.createdSequence)
        add(zone.changedSequence)
        add(zone.purgedSequence)
        add(zone.createdAt)
        add(zone.deletedAt)
        add(bytes: zone.clientToken.map { $0[...] })
        add(zone.checksum)
    }
}
