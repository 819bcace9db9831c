import CloudKitWire
import NephosStorage

/// Writes of the table `subscriptions`.
enum SubscriptionWriter {
    static func apply(
        _ write: SubscriptionWrite, _ ledger: inout Ledger, _ tenant: TenantNumber, _ transaction: Transaction
    ) throws(StorageError) {
        if let old = write.old {
            let stored = try tenant.stored(old.database)
            transaction.later(removal) {
                $0.add(stored)
                $0.add(old.user)
                $0.add(old.name)
                $0.add(old.checksum)
            }
            try ledger.count(old.database) { $0.watchers -= old.watching }
        }
        if let new = write.new {
            try ledger.check(new.sequence, in: new.database)
            let stored = try tenant.stored(new.database)
            transaction.later(insertion) {
                $0.add(stored)
                $0.add(new.user)
                $0.add(new.name)
                $0.add(new.sequence)
                $0.add(new.kind.rawValue)
                $0.add(new.createdAt)
                $0.add(new.checksum)
                $0.add(bytes: new.dictionary)
            }
            try ledger.count(new.database) { $0.watchers += new.watching }
        }
    }

    private static let insertion = Statement(
        """
        INSERT INTO subscriptions (db, user_id, name, seq, kind, created_at, checksum, dictionary)
        VALUES ($1,$2,$3,$4,$5,$6,$7,$8)
        """)
    /// A row that lies there just as it was read.
    private static let removal = Statement(
        Guard.touching(
            one: """
                DELETE FROM subscriptions WHERE db = $1 AND user_id = $2 AND name = $3 AND checksum = $4 RETURNING 1
                """))
}
