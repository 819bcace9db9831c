import CloudKitWire
import NephosStorage

/// Writes of the table `devices`.
struct DeviceWriter {
    let tenant: TenantNumber
    let transaction: Transaction

    func apply(_ write: DeviceWrite) throws(StorageError) {
        if let old = write.old {
            let stored = try tenant.stored(old.key.database)
            transaction.later(Self.removal) {
                $0.add(stored)
                $0.add(old.key.user)
                $0.add(bytes: old.key.id)
                $0.add(old.checksum)
            }
            guard write.new != nil else {
                transaction.later(Self.removalOfDeliveries) {
                    $0.add(stored)
                    $0.add(bytes: old.key.id)
                }
                return
            }
        }
        if let new = write.new {
            let stored = try tenant.stored(new.key.database)
            transaction.later(Self.insertion) {
                $0.add(stored)
                $0.add(new.key.user)
                $0.add(bytes: new.key.id)
                $0.add(new.channel.rawValue)
                $0.add(new.client)
                $0.add(Int64(new.isDevelopment ? 1 : 0))
                $0.add(new.address)
                $0.add(bytes: new.secret)
                $0.add(new.createdAt)
                $0.add(new.usedAt)
                $0.add(new.checksum)
            }
        }
    }

    private static let insertion = Statement(
        """
        INSERT INTO devices (
            db, user_id, id, channel, client, development, address, secret, created_at, used_at, checksum
        ) VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11)
        """)
    /// A row that lies there just as it was read.
    private static let removal = Statement(
        Guard.touching(
            one: "DELETE FROM devices WHERE db = $1 AND user_id = $2 AND id = $3 AND checksum = $4 RETURNING 1"))
    private static let removalOfDeliveries = Statement("DELETE FROM deliveries WHERE db = $1 AND device = $2")
}
