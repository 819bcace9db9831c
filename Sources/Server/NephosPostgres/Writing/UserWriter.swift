import CloudKitWire
import NephosStorage

/// Adds rows to the table `users`.
enum UserWriter {
    private static let insertion = Statement(
        """
        INSERT INTO users (tenant, id, source, source_id, private_db, created_at, checksum)
        VALUES ($1,$2,$3,$4,$5,$6,$7)
        """)

    static func insert(
        _ user: UserRow, _ tenant: TenantNumber, _ transaction: Transaction
    ) throws(StorageError) {
        transaction.later(insertion) {
            $0.add(tenant.value)
            $0.add(user.id)
            $0.add(user.source.rawValue)
            $0.add(user.sourceID)
            $0.add(user.privateDatabase)
            $0.add(user.createdAt)
            $0.add(user.checksum)
        }
    }
}
