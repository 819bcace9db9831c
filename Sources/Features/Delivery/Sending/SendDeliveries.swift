import CloudKitWire
package import NephosStorage

/// Leases deliveries, so that no other process sends them for a while.
package struct LeaseDeliveries: Sendable {
    private let scans: [Scan<DeliveryRow>]
    private let until: Milliseconds
    package let reading: ReadSet

    /// - Parameter seconds: When the lease ends, so that others can take over from a process that died.
    package init(_ scans: [Scan<DeliveryRow>], now: Milliseconds, seconds: Milliseconds = 60) {
        self.scans = scans
        until = now + seconds * 1_000
        var set = ReadSet()
        for scan in scans { set.ask(scan) }
        reading = set
    }

    /// Returns the leased deliveries.
    package func decide(_ reading: Reading) -> Decision<[DeliveryRow]> {
        var set = WriteSet()
        let taken = scans.flatMap { reading[$0] }.map { old in
            var row = old
            row.leasedUntil = until
            set.put(row, replacing: old)
            return row
        }
        return .write(set, taken)
    }
}

/// Records the outcomes of leased deliveries, also in the push log.
package struct FinishDeliveries: Sendable {
    package enum End: Sendable, Equatable {
        case delivered(String)
        /// To be retried at a time.
        case failed(String, again: Milliseconds)
        case givenUp(String)
        /// The device is removed, with all its pending deliveries.
        case deviceGone(String)
        /// It was not sent, and nothing is recorded: its client disconnected, or its sender ran out of time.
        case released
        /// The same, and it is not to be tried before a time, because its device does not respond.
        case postponed(until: Milliseconds)
    }

    package struct Item: Sendable {
        package var delivery: DeliveryRow
        package var end: End
        /// 8 random bytes for the log.
        package var nonce: Int64

        /// - Parameter delivery: As leased.
        package init(_ delivery: DeliveryRow, _ end: End, nonce: Int64) {
            self.delivery = delivery
            self.end = end
            self.nonce = nonce
        }
    }

    private let items: [Item]
    private let now: Milliseconds
    private let deliveries: Scan<DeliveryRow>
    private let gone: Scan<DeviceRow>
    package let reading: ReadSet

    package init(_ items: [Item], now: Milliseconds) {
        self.items = items
        self.now = now
        deliveries = DeliveryRow.keyed(items.map(\.delivery.key))
        gone = DeviceRow.keyed(Array(Set(items.filter(\.isDeviceGone).map(\.delivery.device))))
        var set = ReadSet()
        // Devices first: others who remove a device or write deliveries for it lock it first, too.
        set.ask(gone)
        set.ask(deliveries)
        reading = set
    }

    /// Returns the entries written to the push log.
    package func decide(_ reading: Reading) -> Decision<[PushLogRow]> {
        var set = WriteSet()
        let stored = Dictionary(
            reading[deliveries].map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        let gone = reading[gone]
        var log: [PushLogRow] = []
        for item in items {
            if let entry = entry(item) {
                log.append(entry)
                set.put(entry)
            }
            // It is gone with its device, or the lease has expired and another process sends it.
            guard let old = stored[item.delivery.key], old.leasedUntil == item.delivery.leasedUntil,
                !gone.contains(where: { $0.key == old.device })
            else { continue }
            if let next = next(old, item) { set.put(next, replacing: old) } else { set.remove(old) }
        }
        for device in gone { set.remove(device) }
        return .write(set, log)
    }

    /// What is left to be sent; nil for nothing.
    private func next(_ old: DeliveryRow, _ item: Item) -> DeliveryRow? {
        var row = old
        row.leasedUntil = 0
        let cameBehind = old.changes - item.delivery.changes
        switch item.end {
        case .released: return row
        case .postponed(let time):
            row.dueAt = time
            return row
        case .failed(_, let again):
            row.attempts += 1
            row.dueAt = again
            return row
        case .delivered, .givenUp, .deviceGone:
            if old.channel == .webhook, item.end.keeps {
                row.dueAt = DeliveryRow.completed
                return row
            }
            // Changes merged into it meanwhile were not sent.
            guard cameBehind > 0 else { return nil }
            row.changes = cameBehind
            row.attempts = 0
            row.createdAt = now
            row.dueAt = now
            return row
        }
    }

    private func entry(_ item: Item) -> PushLogRow? {
        func row(_ outcome: PushLogRow.Outcome, _ answer: String) -> PushLogRow {
            PushLogRow(of: item.delivery, at: now, nonce: item.nonce, outcome: outcome, answer: answer)
        }
        switch item.end {
        case .delivered(let answer): return row(.delivered, answer)
        case .failed(let answer, _): return row(.failed, answer)
        case .givenUp(let answer): return row(.givenUp, answer)
        case .deviceGone(let answer): return row(.deviceGone, answer)
        case .released, .postponed: return nil
        }
    }
}

extension FinishDeliveries.End {
    /// Whether the delivery is kept so that an operator can replay it.
    fileprivate var keeps: Bool {
        if case .deviceGone = self { return false }
        return true
    }
}

extension FinishDeliveries.Item {
    fileprivate var isDeviceGone: Bool {
        if case .deviceGone = end { return true }
        return false
    }
}

/// Sends deliveries to a webhook again.
package struct ReplayDeliveries: Sendable {
    private let deliveries: Scan<DeliveryRow>
    private let since: Milliseconds
    private let now: Milliseconds
    package let reading: ReadSet

    /// - Parameters:
    ///   - since: Only those matched from this time on.
    ///   - limit: The maximum number of deliveries; the newest are sent.
    package init(to device: DeviceKey, since: Milliseconds, limit: Int, now: Milliseconds) {
        deliveries = DeliveryRow.of(device, limit: limit)
        self.since = since
        self.now = now
        var set = ReadSet()
        set.ask(deliveries)
        reading = set
    }

    /// Returns the number of deliveries.
    package func decide(_ reading: Reading) -> Decision<Int> {
        var set = WriteSet()
        for old in reading[deliveries] where old.createdAt >= since && old.leasedUntil <= now {
            var row = old
            row.dueAt = now
            row.leasedUntil = 0
            row.attempts = 0
            set.put(row, replacing: old)
        }
        return .write(set, set.changes.count)
    }
}

/// Removes courier devices that no longer poll, old entries of the push log, and old deliveries kept for replay.
package struct ForgetDeliveries: Sendable {
    package let reading: ReadSet
    private let devices: Scan<DeviceRow>
    private let entries: Scan<PushLogRow>
    private let deliveries: Scan<DeliveryRow>

    /// - Parameter limit: The maximum number of devices, and of entries.
    package init(silentSince: Milliseconds, loggedBefore: Milliseconds, limit: Int) {
        var set = ReadSet()
        devices = DeviceRow.silent(.courier, since: silentSince, limit: limit)
        set.ask(devices)
        entries = PushLogRow.before(loggedBefore, limit: limit)
        set.ask(entries)
        deliveries = DeliveryRow.completed(createdBefore: loggedBefore, limit: limit)
        set.ask(deliveries)
        reading = set
    }

    /// Returns the number of rows removed, of the kind with the most.
    package func decide(_ reading: Reading) -> Decision<Int> {
        var set = WriteSet()
        for device in reading[devices] { set.remove(device) }
        for entry in reading[entries] { set.remove(entry) }
        for delivery in reading[deliveries] { set.remove(delivery) }
        return .write(set, most(in: reading))
    }

    /// The number of rows of the kind with the most.
    package func most(in reading: Reading) -> Int {
        max(reading[devices].count, reading[entries].count, reading[deliveries].count)
    }
}

/// Records that a device has polled.
package struct NoteDevicePoll: Sendable {
    /// The resolution of the recorded time, so that a device that polls continuously is not written each time.
    package static let resolution: Milliseconds = 3_600_000

    private let now: Milliseconds
    private let device: Scan<DeviceRow>
    package let reading: ReadSet

    package init(_ device: DeviceKey, now: Milliseconds) {
        self.now = now
        self.device = DeviceRow.keyed([device])
        var set = ReadSet()
        set.databases = [device.database]
        set.ask(self.device)
        reading = set
    }

    package func decide(_ reading: Reading) -> Decision<Void> {
        var set = WriteSet()
        for old in reading[device] where old.usedAt + Self.resolution < now {
            var row = old
            row.usedAt = now
            set.put(row, replacing: old)
        }
        return .write(set, ())
    }
}
