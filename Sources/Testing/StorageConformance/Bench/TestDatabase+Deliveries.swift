import CloudKitWire
import NephosStorage

extension TestDatabase {
    func deviceKey(_ number: UInt8) -> DeviceKey {
        DeviceKey(database: self.number, user: user, id: Array(repeating: number, count: DeviceRow.idBytes))
    }

    /// A device of ``user``, whose home is this database.
    func device(_ number: UInt8, _ channel: DeviceRow.Channel = .courier, at time: Milliseconds = 1) -> DeviceRow {
        DeviceRow(key: deviceKey(number), channel: channel, secret: [number], createdAt: time)
    }

    /// A pending delivery for a device.
    func delivery(
        _ number: UInt8, _ subscription: Name, _ channel: DeviceRow.Channel = .courier, dueAt: Milliseconds = 1,
        slot: Sequence = 0
    ) -> DeliveryRow {
        DeliveryRow(
            key: DeliveryKey(
                database: self.number, device: deviceKey(number).id, source: 1, subscription: subscription, slot: slot),
            user: user, channel: channel, sequence: 7, changes: 2, createdAt: 3, dueAt: dueAt, collapseID: "c",
            payload: Bytes(#"{"aps":{}}"#))
    }

    func entry(_ number: UInt8, at time: Milliseconds, nonce: Int64 = 0) -> PushLogRow {
        PushLogRow(of: delivery(number, "s"), at: time, nonce: nonce, outcome: .delivered, answer: "200")
    }

    // MARK: Writing

    func writeRows(_ change: @escaping @Sendable (inout WriteSet) -> Void) async throws {
        try await store.commit(ReadSet()) { _ in
            var writes = WriteSet()
            change(&writes)
            return .write(writes, ())
        }
    }

    func add(_ devices: [DeviceRow] = [], _ deliveries: [DeliveryRow] = [], _ log: [PushLogRow] = []) async throws {
        try await writeRows { writes in
            for device in devices { writes.put(device) }
            for delivery in deliveries { writes.put(delivery) }
            for entry in log { writes.put(entry) }
        }
    }

    /// Changes deliveries read in the same transaction; nil removes one.
    @discardableResult
    func change(
        _ scan: Scan<DeliveryRow>, _ change: @escaping @Sendable (DeliveryRow) -> DeliveryRow?
    ) async throws -> [DeliveryRow] {
        var set = ReadSet()
        set.ask(scan)
        return try await store.commit(set) { reading in
            var writes = WriteSet()
            writes.change(reading[scan], change)
            return .write(writes, reading[scan])
        }
    }

    func change(_ keys: [DeliveryKey], _ change: @escaping @Sendable (DeliveryRow) -> DeliveryRow?) async throws {
        let scan = DeliveryRow.keyed(keys)
        var set = ReadSet()
        set.ask(scan)
        try await store.commit(set) { reading in
            var writes = WriteSet()
            writes.change(reading[scan], change)
            return .write(writes, ())
        }
    }

    // MARK: Reading

    func devices(of users: UserID...) throws -> [DeviceRow] {
        let known = try tenant.homes(of: users)
        return try rows(DeviceRow.of(known))
    }
}

extension TestTenant {
    fileprivate func homes(of users: [UserID]) throws -> [(user: UserID, home: DatabaseNumber)] {
        try store.rows(UserRow.keyed(users)).map { ($0.id, $0.home) }
    }
}

extension WriteSet {
    fileprivate mutating func change<Row: StoredRow>(_ rows: [Row], _ change: (Row) -> Row?) {
        for old in rows { if let new = change(old) { put(new, replacing: old) } else { remove(old) } }
    }
}
