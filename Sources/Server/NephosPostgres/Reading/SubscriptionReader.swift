import CloudKitWire
import NephosStorage

/// Reads of the table `subscriptions`.
struct SubscriptionReader {
    let tenant: TenantNumber

    /// In the order of ``read(_:)``.
    static let columns = "db, user_id, name, seq, kind, created_at, dictionary"
    /// How many there are; others may follow.
    static let columnCount: Int32 = 7

    func rows(_ scan: SubscriptionScan) throws(StorageError) -> Call {
        let stored = try tenant.stored(scan.database)
        switch scan.which {
        case .of(let user):
            return Call(Self.ofUser) {
                $0.add(stored)
                $0.add(user)
                $0.add(Int64(scan.limit))
            }
        case .savedAfter(let sequence):
            return Call(Self.savedAfter) {
                $0.add(stored)
                $0.add(sequence)
                $0.add(Int64(scan.limit))
            }
        case .savedAt(let sequences):
            return Call(Self.savedAt) {
                $0.add(stored)
                $0.add(numbers: sequences)
                $0.add(Int64(scan.limit))
            }
        }
    }

    func read(_ row: Row) throws(StorageError) -> SubscriptionRow {
        SubscriptionRow(
            database: tenant.database(row.int(0)), user: try row.user(1), name: row.name(2), sequence: row.int(3),
            kind: try row.kind(4, of: SubscriptionRow.Kind.self), createdAt: row.int(5), dictionary: row.bytes(6)[...])
    }

    private static let ofUser = Statement(
        "SELECT \(columns) FROM subscriptions WHERE db = $1 AND user_id = $2 ORDER BY name LIMIT $3")
    private static let savedAfter = Statement(
        "SELECT \(columns) FROM subscriptions WHERE db = $1 AND seq > $2 ORDER BY seq LIMIT $3")
    private static let savedAt = Statement(
        "SELECT \(columns) FROM subscriptions WHERE db = $1 AND seq = ANY($2::bigint[]) LIMIT $3")
}
