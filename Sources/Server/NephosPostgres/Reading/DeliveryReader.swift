import CloudKitWire
import NephosStorage

/// Reads of the table `deliveries`.
struct DeliveryReader {
    let tenant: TenantNumber
    /// What is read will be written, and is locked.
    let isForUpdate: Bool

    /// In the order of ``read(_:)``, of a table with the alias `d`.
    static let columns = """
        d.db, d.device, d.source_db, d.subscription, d.slot, d.user_id, d.channel, d.seq, d.changes, d.created_at, \
        d.due_at, d.leased_until, d.attempts, d.collapse_id, d.payload
        """
    /// How many there are; others may follow.
    static let columnCount: Int32 = 15

    func rows(_ scan: DeliveryScan) throws(StorageError) -> Call {
        switch scan {
        case .keyed(let keys):
            // Locks are taken in this order, so that no two wait for each other.
            let keys = keys.sorted()
            let stored = try keys.map { key throws(StorageError) in try tenant.stored(key.database) }
            return Call(isForUpdate ? Self.keyedForUpdate : Self.keyed) {
                $0.add(numbers: stored)
                $0.add(pieces: keys.map { $0.device[...] })
                $0.add(numbers: keys.map(\.source))
                $0.add(names: keys.map(\.subscription))
                $0.add(numbers: keys.map(\.slot))
            }
        case .waiting(let devices, let now, let perDevice):
            let stored = try devices.map { key throws(StorageError) in try tenant.stored(key.database) }
            return Call(isForUpdate ? Self.waitingForUpdate : Self.waiting) {
                $0.add(numbers: stored)
                $0.add(pieces: devices.map { $0.id[...] })
                $0.add(now)
                $0.add(Int64(perDevice))
            }
        case .toSend(let channel, let now, let limit):
            return Call(isForUpdate ? Self.toSendForUpdate : Self.toSend) {
                $0.add(tenant.value)
                $0.add(channel.rawValue)
                $0.add(now)
                $0.add(Int64(limit))
            }
        case .of(let device, let limit):
            let stored = try tenant.stored(device.database)
            return Call(isForUpdate ? Self.ofDeviceForUpdate : Self.ofDevice) {
                $0.add(stored)
                $0.add(bytes: device.id)
                $0.add(Int64(limit))
            }
        case .over(let madeBefore, let limit):
            return Call(isForUpdate ? Self.overForUpdate : Self.over) {
                $0.add(tenant.value)
                $0.add(madeBefore)
                $0.add(Int64(limit))
            }
        }
    }

    func read(_ row: Row) throws(StorageError) -> DeliveryRow {
        DeliveryRow(
            key: DeliveryKey(
                database: tenant.database(row.int(0)), device: row.bytes(1), source: row.int(2),
                subscription: row.name(3), slot: row.int(4)),
            user: try row.user(5), channel: try row.kind(6, of: DeviceRow.Channel.self), sequence: row.int(7),
            changes: row.int(8), createdAt: row.int(9), dueAt: row.int(10), leasedUntil: row.int(11),
            attempts: row.int(12), collapseID: row.name(13), payload: row.bytes(14)[...])
    }

    private static let keyedSQL = """
        SELECT \(columns)
        FROM unnest($1::bigint[], $2::bytea[], $3::bigint[], $4::bytea[], $5::bigint[])
            AS k (db, device, source_db, subscription, slot)
        JOIN deliveries AS d ON d.db = k.db AND d.device = k.device AND d.source_db = k.source_db
            AND d.subscription = k.subscription AND d.slot = k.slot
        """
    private static let keyed = Statement(keyedSQL)
    private static let keyedForUpdate = Statement("\(keyedSQL) FOR UPDATE OF d")

    private static func waitingSQL(_ lock: String) -> String {
        """
        SELECT \(columns) FROM unnest($1::bigint[], $2::bytea[]) AS k (db, device)
        CROSS JOIN LATERAL (
            SELECT * FROM deliveries
            WHERE db = k.db AND device = k.device AND leased_until <= $3
            ORDER BY due_at, source_db, seq, subscription, slot LIMIT $4 \(lock)
        ) AS d
        """
    }
    private static let waiting = Statement(waitingSQL(""))
    private static let waitingForUpdate = Statement(waitingSQL("FOR UPDATE SKIP LOCKED"))

    private static let toSendSQL = """
        SELECT \(columns) FROM deliveries AS d
        WHERE d.db >> 40 = $1 AND d.channel <> 1 AND d.channel = $2 AND d.due_at <= $3 AND d.leased_until <= $3
        ORDER BY d.due_at, d.created_at LIMIT $4
        """
    private static let toSend = Statement(toSendSQL)
    private static let toSendForUpdate = Statement("\(toSendSQL) FOR UPDATE SKIP LOCKED")

    private static let ofDeviceSQL = """
        SELECT \(columns) FROM deliveries AS d WHERE d.db = $1 AND d.device = $2
        ORDER BY d.created_at DESC, d.source_db, d.subscription, d.slot LIMIT $3
        """
    private static let ofDevice = Statement(ofDeviceSQL)
    private static let ofDeviceForUpdate = Statement("\(ofDeviceSQL) FOR UPDATE")

    private static let overSQL = """
        SELECT \(columns) FROM deliveries AS d
        WHERE d.db >> 40 = $1 AND d.channel <> 1 AND d.channel = \(DeviceRow.Channel.webhook.rawValue)
            AND d.due_at = \(DeliveryRow.over) AND d.created_at < $2
        ORDER BY d.created_at LIMIT $3
        """
    private static let over = Statement(overSQL)
    private static let overForUpdate = Statement("\(overSQL) FOR UPDATE SKIP LOCKED")
}
