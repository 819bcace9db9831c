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

    private static let insertion = Statement(
        """
        INSERT INTO zones (
            name, state, created_seq, changed_seq, purged_seq, created_at, deleted_at, client_token, checksum, db,
            zone_no
        ) VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11)
        """)
    private static let change = Statement(
        Guard.touching(
            one: """
                UPDATE zones SET name = $1, state = $2, created_seq = $3, changed_seq = $4, purged_seq = $5,
                    created_at = $6, deleted_at = $7, client_token = $8, checksum = $9
                WHERE db = $10 AND zone_no = $11 RETURNING 1
                """))
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
