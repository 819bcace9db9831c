import CloudKitWire
import NephosStorage

/// Reads of the table `deliveries`. One process writes a file at a time, so that nothing need be locked.
final class DeliveryReader {
    /// In the order of ``row(_:)``.
    static let columns = """
        db, device, source_db, subscription, slot, user_id, channel, seq, changes, created_at, due_at, leased_until, \
        attempts, collapse_id, payload
        """
    /// How many there are; others may follow.
    static let columnCount: Int32 = 15

    private let keyed: Query
    private let waiting: Query
    private let toSend: Query
    private let ofDevice: Query
    private let over: Query

    init(_ connection: Connection) {
        keyed = Query(
            connection,
            """
            SELECT \(Self.columns) FROM deliveries
            WHERE db = ? AND device = ? AND source_db = ? AND subscription = ? AND slot = ?
            """)
        waiting = Query(
            connection,
            """
            SELECT \(Self.columns) FROM deliveries WHERE db = ? AND device = ? AND leased_until <= ?
            ORDER BY due_at, source_db, seq, subscription, slot LIMIT ?
            """)
        toSend = Query(
            connection,
            """
            SELECT \(Self.columns) FROM deliveries INDEXED BY deliveries_to_send
            WHERE channel <> 1 AND channel = ?1 AND due_at <= ?2 AND leased_until <= ?2
            ORDER BY due_at, created_at LIMIT ?3
            """)
        ofDevice = Query(
            connection,
            """
            SELECT \(Self.columns) FROM deliveries WHERE db = ? AND device = ?
            ORDER BY created_at DESC, source_db, subscription, slot LIMIT ?
            """)
        over = Query(
            connection,
            """
            SELECT \(Self.columns) FROM deliveries INDEXED BY deliveries_to_send
            WHERE channel <> 1 AND channel = \(DeviceRow.Channel.webhook.rawValue) AND due_at = \(DeliveryRow.over)
                AND created_at < ?
            ORDER BY created_at LIMIT ?
            """)
    }

    func rows(_ scan: DeliveryScan) throws(StorageError) -> [DeliveryRow] {
        var rows: [DeliveryRow] = []
        switch scan {
        case .keyed(let keys):
            for key in keys {
                var cursor = try keyed.start()
                cursor.bind(key)
                if try cursor.next() { rows.append(try Self.row(cursor)) }
            }
        case .waiting(let devices, let now, let perDevice):
            for device in devices {
                var cursor = try waiting.start()
                cursor.bind(device.database)
                cursor.bind(blob: device.id)
                cursor.bind(now)
                cursor.bind(Int64(perDevice))
                while try cursor.next() { rows.append(try Self.row(cursor)) }
            }
        case .toSend(let channel, let now, let limit):
            var cursor = try toSend.start()
            cursor.bind(channel.rawValue)
            cursor.bind(now)
            cursor.bind(Int64(limit))
            while try cursor.next() { rows.append(try Self.row(cursor)) }
        case .of(let device, let limit):
            var cursor = try ofDevice.start()
            cursor.bind(device.database)
            cursor.bind(blob: device.id)
            cursor.bind(Int64(limit))
            while try cursor.next() { rows.append(try Self.row(cursor)) }
        case .over(let madeBefore, let limit):
            var cursor = try over.start()
            cursor.bind(madeBefore)
            cursor.bind(Int64(limit))
            while try cursor.next() { rows.append(try Self.row(cursor)) }
        }
        return rows
    }

    /// Reads ``columns``.
    static func row(_ cursor: borrowing Cursor) throws(StorageError) -> DeliveryRow {
        DeliveryRow(
            key: DeliveryKey(
                database: cursor.int(0), device: cursor.bytes(1), source: cursor.int(2), subscription: cursor.name(3),
                slot: cursor.int(4)),
            user: try cursor.user(5), channel: try cursor.kind(6, of: DeviceRow.Channel.self), sequence: cursor.int(7),
            changes: cursor.int(8), createdAt: cursor.int(9), dueAt: cursor.int(10), leasedUntil: cursor.int(11),
            attempts: cursor.int(12), collapseID: cursor.name(13), payload: cursor.bytes(14)[...])
    }
}

extension Cursor {
    mutating func bind(_ key: DeliveryKey) {
        bind(key.database)
        bind(blob: key.device)
        bind(key.source)
        bind(key.subscription)
        bind(key.slot)
    }
}
