import CloudKitWire
import NephosStorage

/// Reads of the table `push_log`.
final class PushLogReader {
    /// In the order of ``row(_:)``.
    static let columns =
        "db, at, nonce, user_id, device, channel, source_db, subscription, outcome, changes, attempt, milliseconds, answer"
    /// How many there are; others may follow.
    static let columnCount: Int32 = 13

    private let newest: Query
    private let newestOfUser: Query
    private let after: Query
    private let before: Query

    init(_ connection: Connection) {
        newest = Query(connection, "SELECT \(Self.columns) FROM push_log ORDER BY at DESC, nonce DESC LIMIT ?")
        newestOfUser = Query(
            connection,
            """
            SELECT \(Self.columns) FROM push_log INDEXED BY push_log_by_user
            WHERE user_id = ? ORDER BY at DESC, nonce DESC LIMIT ?
            """)
        after = Query(
            connection, "SELECT \(Self.columns) FROM push_log WHERE (at, nonce) > (?, ?) ORDER BY at, nonce LIMIT ?")
        before = Query(connection, "SELECT \(Self.columns) FROM push_log WHERE at < ? ORDER BY at, nonce LIMIT ?")
    }

    func rows(_ scan: PushLogScan) throws(StorageError) -> [PushLogRow] {
        var cursor: Cursor
        switch scan {
        case .newest(of: nil, let limit):
            cursor = try newest.start()
            cursor.bind(Int64(limit))
        case .newest(of: let user?, let limit):
            cursor = try newestOfUser.start()
            cursor.bind(user)
            cursor.bind(Int64(limit))
        case .after(let position, let limit):
            cursor = try after.start()
            cursor.bind(position.at)
            cursor.bind(position.nonce)
            cursor.bind(Int64(limit))
        case .before(let time, let limit):
            cursor = try before.start()
            cursor.bind(time)
            cursor.bind(Int64(limit))
        }
        var rows: [PushLogRow] = []
        while try cursor.next() { rows.append(try Self.row(cursor)) }
        return rows
    }

    /// Reads ``columns``.
    static func row(_ cursor: borrowing Cursor) throws(StorageError) -> PushLogRow {
        PushLogRow(
            database: cursor.int(0), at: cursor.int(1), nonce: cursor.int(2), user: try cursor.user(3),
            device: cursor.bytes(4), channel: try cursor.kind(5, of: DeviceRow.Channel.self), source: cursor.int(6),
            subscription: cursor.name(7), outcome: try cursor.kind(8, of: PushLogRow.Outcome.self),
            changes: cursor.int(9), attempt: cursor.int(10), milliseconds: cursor.int(11), answer: cursor.string(12))
    }
}
