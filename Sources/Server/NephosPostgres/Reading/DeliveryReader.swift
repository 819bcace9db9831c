import NephosStorage

/// Reads of the table `deliveries` in orders of their own.
struct DeliveryReader {
    let tenant: TenantNumber
    /// What is read will be written, and is locked.
    let isForUpdate: Bool

    func rows(_ scan: DeliveryScan) throws(StorageError) -> Call {
        switch scan {
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
        }
    }

    private static let columns = TableSQL.list(DeliveryRow.table)

    private static func waitingSQL(_ lock: String) -> String {
        """
        SELECT \(columns) FROM unnest($1::bigint[], $2::bytea[]) AS k (db, device)
        CROSS JOIN LATERAL (
            SELECT * FROM deliveries
            WHERE db = k.db AND device = k.device AND leased_until <= $3
            ORDER BY due_at, source_db, seq, subscription, slot LIMIT $4 \(lock)
        ) AS t
        """
    }
    private static let waiting = Statement(waitingSQL(""))
    private static let waitingForUpdate = Statement(waitingSQL("FOR UPDATE SKIP LOCKED"))

    private static let toSendSQL = """
        SELECT \(columns) FROM deliveries AS t
        WHERE t.db >> 40 = $1 AND t.channel <> 1 AND t.channel = $2 AND t.due_at <= $3 AND t.leased_until <= $3
        ORDER BY t.due_at, t.created_at LIMIT $4
        """
    private static let toSend = Statement(toSendSQL)
    private static let toSendForUpdate = Statement("\(toSendSQL) FOR UPDATE SKIP LOCKED")

    private static let ofDeviceSQL = """
        SELECT \(columns) FROM deliveries AS t WHERE t.db = $1 AND t.device = $2
        ORDER BY t.created_at DESC, t.source_db, t.subscription, t.slot LIMIT $3
        """
    private static let ofDevice = Statement(ofDeviceSQL)
    private static let ofDeviceForUpdate = Statement("\(ofDeviceSQL) FOR UPDATE")
}
