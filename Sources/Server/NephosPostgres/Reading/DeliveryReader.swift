import NephosStorage

/// Reads of the table `deliveries` in orders of their own.
struct DeliveryReader {
    let tenant: TenantNumber
    /// What is read will be written, and is locked.
    let isForUpdate: Bool

    /// What a scan asks for at once.
    func calls(_ scan: DeliveryScan) throws(StorageError) -> [Call] {
        switch scan {
        case .waiting(let devices, let now, let perDevice):
            return try devices.groups(by: \.database).map { database, devices throws(StorageError) in
                let stored = try tenant.stored(database)
                return Call(isForUpdate ? Self.waitingForUpdate : Self.waiting) {
                    $0.add(stored)
                    $0.add(pieces: devices.map { $0.id[...] })
                    $0.add(now)
                    $0.add(Int64(perDevice))
                }
            }
        case .toSend(let channel, let now, let limit): return [toSend(channel, now, limit, after: 0)]
        case .of(let device, let limit):
            let stored = try tenant.stored(device.database)
            let call = Call(isForUpdate ? Self.ofDeviceForUpdate : Self.ofDevice) {
                $0.add(stored)
                $0.add(bytes: device.id)
                $0.add(Int64(limit))
            }
            return [call]
        }
    }

    /// - Parameter answers: Those of ``calls(_:)``.
    func rows(
        _ answers: ArraySlice<Rows>, _ scan: DeliveryScan, _ transaction: Transaction
    ) throws(StorageError) -> [DeliveryRow] {
        var rows: [DeliveryRow] = []
        for answer in answers { rows += try read(answer) }
        switch scan {
        case .waiting(let devices, _, _):
            // As the devices come, whichever database was asked first.
            let found = Dictionary(grouping: rows) { Place(database: $0.key.database, device: $0.key.device) }
            return devices.flatMap { found[Place(database: $0.database, device: $0.id)] ?? [] }
        case .toSend(let channel, let now, let limit) where isForUpdate:
            return try lock(rows, channel, now, limit, transaction)
        case .toSend, .of: return rows
        }
    }

    private struct Place: Hashable {
        let database: DatabaseNumber
        let device: [UInt8]
    }

    private func read(_ rows: Rows) throws(StorageError) -> [DeliveryRow] {
        try rows.map { row throws(StorageError) in try row.stored(DeliveryRow.self, tenant) }
    }

    // MARK: To send

    private func toSend(
        _ channel: DeviceRow.Channel, _ now: Milliseconds, _ limit: Int, after skipped: Int
    ) -> Call {
        Call(Self.toSend) {
            $0.add(tenant.value)
            $0.add(channel.rawValue)
            $0.add(now)
            $0.add(Int64(limit))
            $0.add(Int64(skipped))
        }
    }

    /// Locks what was found without a lock, and looks on where others are at too much of it.
    private func lock(
        _ first: [DeliveryRow], _ channel: DeviceRow.Channel, _ now: Milliseconds, _ limit: Int,
        _ transaction: Transaction
    ) throws(StorageError) -> [DeliveryRow] {
        var (found, skipped): ([DeliveryRow], Int) = (first, 0)
        var locked: [DeliveryRow] = []
        while !found.isEmpty {
            locked += try lock(found, channel, now, transaction).prefix(limit - locked.count)
            guard locked.count < limit, found.count == limit else { break }
            skipped += found.count
            let answers = try transaction.run([toSend(channel, now, limit, after: skipped)])
            found = try answers.first.map { rows throws(StorageError) in try read(rows) } ?? []
        }
        return locked
    }

    /// - Returns: Those that nobody else is at, as they are now, in the same order.
    private func lock(
        _ found: [DeliveryRow], _ channel: DeviceRow.Channel, _ now: Milliseconds, _ transaction: Transaction
    ) throws(StorageError) -> [DeliveryRow] {
        let calls = try found.groups(by: \.key.database).map { database, rows throws(StorageError) in
            let stored = try tenant.stored(database)
            return Call(Self.lock) {
                $0.add(stored)
                $0.add(pieces: rows.map { $0.key.device[...] })
                $0.add(numbers: rows.map(\.key.source))
                $0.add(names: rows.map(\.key.subscription))
                $0.add(numbers: rows.map(\.key.slot))
                $0.add(channel.rawValue)
                $0.add(now)
            }
        }
        var locked: [DeliveryKey: DeliveryRow] = [:]
        for answer in try transaction.run(calls) {
            for row in try read(answer) { locked[row.key] = row }
        }
        return found.compactMap { locked[$0.key] }
    }

    // MARK: Statements

    private static let columns = TableSQL.list(DeliveryRow.table)

    private static func waitingSQL(_ lock: String) -> String {
        """
        SELECT \(columns) FROM unnest($2::bytea[]) AS k (device)
        CROSS JOIN LATERAL (
            SELECT * FROM deliveries
            WHERE db = $1 AND device = k.device AND leased_until <= $3
            ORDER BY due_at, source_db, seq, subscription, slot LIMIT $4 \(lock)
        ) AS t
        """
    }
    private static let waiting = Statement(waitingSQL(""))
    private static let waitingForUpdate = Statement(waitingSQL("FOR UPDATE SKIP LOCKED"))

    private static let toSend = Statement(
        """
        SELECT \(columns) FROM deliveries AS t
        WHERE t.db >> 40 = $1 AND t.channel <> 1 AND t.channel = $2 AND t.due_at <= $3 AND t.leased_until <= $3
        ORDER BY t.due_at, t.created_at LIMIT $4 OFFSET $5
        """)
    private static let lock = Statement(
        """
        SELECT \(columns)
        FROM unnest($2::bytea[], $3::bigint[], $4::bytea[], $5::bigint[]) AS k (device, source_db, subscription, slot)
        JOIN deliveries AS t ON t.db = $1 AND t.device = k.device AND t.source_db = k.source_db
            AND t.subscription = k.subscription AND t.slot = k.slot
        WHERE t.channel = $6 AND t.due_at <= $7 AND t.leased_until <= $7
        FOR UPDATE OF t SKIP LOCKED
        """)

    private static let ofDeviceSQL = """
        SELECT \(columns) FROM deliveries AS t WHERE t.db = $1 AND t.device = $2
        ORDER BY t.created_at DESC, t.source_db, t.subscription, t.slot LIMIT $3
        """
    private static let ofDevice = Statement(ofDeviceSQL)
    private static let ofDeviceForUpdate = Statement("\(ofDeviceSQL) FOR UPDATE")
}
