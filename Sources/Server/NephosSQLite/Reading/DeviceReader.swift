import CloudKitWire
import NephosStorage

/// Reads of the table `devices`.
final class DeviceReader {
    /// In the order of ``row(_:)``.
    static let columns = """
        d.db, d.user_id, d.id, d.channel, d.client, d.development, d.address, d.secret, d.session, d.token, d.created_at, \
        d.used_at
        """
    /// How many there are; others may follow.
    static let columnCount: Int32 = 12

    private let ofUser: Query
    private let keyed: Query
    private let withID: Query
    private let all: Query
    private let silent: Query

    init(_ connection: Connection) {
        ofUser = Query(
            connection,
            """
            SELECT \(Self.columns) FROM users u JOIN devices d
            ON d.db = CASE u.private_db WHEN 0 THEN 1 ELSE u.private_db END AND d.user_id = u.id
            WHERE u.id = ? ORDER BY d.id
            """)
        keyed = Query(
            connection, "SELECT \(Self.columns) FROM devices d WHERE d.db = ? AND d.user_id = ? AND d.id = ?")
        withID = Query(connection, "SELECT \(Self.columns) FROM devices d WHERE d.id = ? ORDER BY d.db, d.user_id")
        all = Query(
            connection,
            "SELECT \(Self.columns) FROM devices d WHERE d.channel = ? ORDER BY d.created_at, d.id LIMIT ?")
        silent = Query(
            connection,
            """
            SELECT \(Self.columns) FROM devices d INDEXED BY devices_by_use
            WHERE d.channel = ? AND d.used_at < ? ORDER BY d.used_at LIMIT ?
            """)
    }

    func rows(_ scan: DeviceScan) throws(StorageError) -> [DeviceRow] {
        var rows: [DeviceRow] = []
        switch scan {
        case .of(let users):
            for user in users {
                var cursor = try ofUser.start()
                cursor.bind(user)
                while try cursor.next() { rows.append(try Self.row(cursor)) }
            }
        case .keyed(let keys):
            for key in keys {
                var cursor = try keyed.start()
                cursor.bind(key)
                if try cursor.next() { rows.append(try Self.row(cursor)) }
            }
        case .withID(let id):
            var cursor = try withID.start()
            cursor.bind(blob: id)
            while try cursor.next() { rows.append(try Self.row(cursor)) }
        case .all(let channel, let limit):
            var cursor = try all.start()
            cursor.bind(channel.rawValue)
            cursor.bind(Int64(limit))
            while try cursor.next() { rows.append(try Self.row(cursor)) }
        case .silent(let channel, let since, let limit):
            var cursor = try silent.start()
            cursor.bind(channel.rawValue)
            cursor.bind(since)
            cursor.bind(Int64(limit))
            while try cursor.next() { rows.append(try Self.row(cursor)) }
        }
        return rows
    }

    /// Reads ``columns``.
    static func row(_ cursor: borrowing Cursor) throws(StorageError) -> DeviceRow {
        DeviceRow(
            key: DeviceKey(database: cursor.int(0), user: try cursor.user(1), id: cursor.bytes(2)),
            channel: try cursor.kind(3, of: DeviceRow.Channel.self), client: cursor.string(4),
            isDevelopment: try cursor.bool(5), address: cursor.string(6), secret: cursor.bytes(7),
            session: cursor.bytes(8), token: cursor.bytes(9), createdAt: cursor.int(10), usedAt: cursor.int(11))
    }
}

extension Cursor {
    mutating func bind(_ key: DeviceKey) {
        bind(key.database)
        bind(key.user)
        bind(blob: key.id)
    }
}
