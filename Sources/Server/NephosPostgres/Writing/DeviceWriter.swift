import CloudKitWire
import NephosStorage

/// Writes of the table `devices`.
struct DeviceWriter {
    let tenant: TenantNumber
    let transaction: Transaction

    func apply(_ write: DeviceWrite) throws(StorageError) {
        switch (write.old, write.new) {
        case (nil, let new?): try add(new, after: nil, Self.insertion)
        // Not removed and added again: who writes a delivery for it holds its key.
        case (let old?, let new?): try add(new, after: old, Self.change)
        case (let old?, nil): try remove(old)
        case (nil, nil): break
        }
    }

    private func add(_ row: DeviceRow, after old: DeviceRow?, _ statement: Statement) throws(StorageError) {
        let stored = try tenant.stored(row.key.database)
        transaction.later(statement) {
            $0.add(stored)
            $0.add(row.key.user)
            $0.add(bytes: row.key.id)
            $0.add(row.channel.rawValue)
            $0.add(row.client)
            $0.add(Int64(row.isDevelopment ? 1 : 0))
            $0.add(row.address)
            $0.add(bytes: row.secret)
            $0.add(bytes: row.session)
            $0.add(bytes: row.token)
            $0.add(row.createdAt)
            $0.add(row.usedAt)
            $0.add(row.checksum)
            if let old { $0.add(old.checksum) }
        }
    }

    private func remove(_ row: DeviceRow) throws(StorageError) {
        let stored = try tenant.stored(row.key.database)
        transaction.later(Self.removal) {
            $0.add(stored)
            $0.add(row.key.user)
            $0.add(bytes: row.key.id)
            $0.add(row.checksum)
        }
        transaction.later(Self.removalOfDeliveries) {
            $0.add(stored)
            $0.add(bytes: row.key.id)
        }
    }

    private static let insertion = Statement(
        """
        INSERT INTO devices (
            db, user_id, id, channel, client, development, address, secret, session, token, created_at, used_at, checksum
        ) VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13)
        """)
    /// These two touch a row that lies there just as it was read.
    private static let change = Statement(
        Guard.touching(
            one: """
                UPDATE devices SET channel = $4, client = $5, development = $6, address = $7, secret = $8, session = $9,
                    token = $10, created_at = $11, used_at = $12, checksum = $13
                WHERE db = $1 AND user_id = $2 AND id = $3 AND checksum = $14 RETURNING 1
                """))
    private static let removal = Statement(
        Guard.touching(
            one: "DELETE FROM devices WHERE db = $1 AND user_id = $2 AND id = $3 AND checksum = $4 RETURNING 1"))
    private static let removalOfDeliveries = Statement("DELETE FROM deliveries WHERE db = $1 AND device = $2")
}
