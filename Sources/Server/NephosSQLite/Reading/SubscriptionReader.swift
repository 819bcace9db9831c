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
    private let savedAt: Query

    init(_ connection: Connection) {
        ofUser = Query(
            connection, "SELECT \(Self.columns) FROM subscriptions WHERE db = ? AND user_id = ? ORDER BY name")
        savedAfter = Query(
            connection,
            """
            SELECT \(Self.columns) FROM subscriptions INDEXED BY subscriptions_by_seq
            WHERE db = ? AND seq > ? ORDER BY seq
            """)
        savedAt = Query(
            connection,
            "SELECT \(Self.columns) FROM subscriptions INDEXED BY subscriptions_by_seq WHERE db = ? AND seq = ?")
    }

    func rows(_ scan: SubscriptionScan) throws(StorageError) -> [SubscriptionRow] {
        var rows: [SubscriptionRow] = []
        func add(_ query: Query, limit: Int, _ bind: (inout Cursor) -> Void) throws(StorageError) {
            var cursor = try query.start()
            cursor.bind(scan.database)
            bind(&cursor)
            while rows.count < limit, try cursor.next() { rows.append(try Self.row(cursor, database: scan.database)) }
        }
        switch scan.which {
        case .of(let user):
            try add(ofUser, limit: scan.limit) { $0.bind(user) }
        case .savedAfter(let sequence):
            try add(savedAfter, limit: scan.limit) { $0.bind(sequence) }
        case .savedAt(let sequences):
            for sequence in sequences { try add(savedAt, limit: scan.limit) { $0.bind(sequence) } }
        }
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
