import CloudKitWire
import NephosStorage

/// Reads of the table `subscriptions`.
final class SubscriptionReader {
    /// In the order of ``row(_:database:)``.
    static let columns = "user_id, name, seq, kind, created_at, dictionary"
    /// How many there are; others may follow.
    static let columnCount: Int32 = 6

    private let ofUser: Query
    private let savedAfter: Query

    init(_ connection: Connection) {
        ofUser = Query(
            connection, "SELECT \(Self.columns) FROM subscriptions WHERE db = ? AND user_id = ? ORDER BY name LIMIT ?")
        savedAfter = Query(
            connection,
            """
            SELECT \(Self.columns) FROM subscriptions INDEXED BY subscriptions_by_seq
            WHERE db = ? AND seq > ? ORDER BY seq LIMIT ?
            """)
    }

    func rows(_ scan: SubscriptionScan) throws(StorageError) -> [SubscriptionRow] {
        var cursor = try (scan.which.isOfOnePerson ? ofUser : savedAfter).start()
        cursor.bind(scan.database)
        switch scan.which {
        case .of(let user): cursor.bind(user)
        case .savedAfter(let sequence): cursor.bind(sequence)
        }
        cursor.bind(Int64(scan.limit))
        var rows: [SubscriptionRow] = []
        while try cursor.next() { rows.append(try Self.row(cursor, database: scan.database)) }
        return rows
    }

    /// Reads ``columns``.
    static func row(_ cursor: borrowing Cursor, database: DatabaseNumber) throws(StorageError) -> SubscriptionRow {
        SubscriptionRow(
            database: database, user: try cursor.user(0), name: cursor.name(1), sequence: cursor.int(2),
            kind: try cursor.kind(3, of: SubscriptionRow.Kind.self), createdAt: cursor.int(4),
            dictionary: cursor.bytes(5)[...])
    }
}

extension SubscriptionScan.Which {
    fileprivate var isOfOnePerson: Bool {
        switch self {
        case .of: true
        case .savedAfter: false
        }
    }
}
