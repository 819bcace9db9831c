public import CloudKitWire

/// Which delivery: for pushes there is one at most for each device and subscription, for webhooks one for each change.
public struct DeliveryKey: Sendable, Hashable, Comparable {
    /// The home of the device.
    public var database: DatabaseNumber
    public var device: [UInt8]
    /// The database that is subscribed to.
    public var source: DatabaseNumber
    public var subscription: Name
    /// 0 for what takes in the next change; else the sequence of the change that it is about alone.
    public var slot: Sequence

    public init(
        database: DatabaseNumber, device: [UInt8], source: DatabaseNumber, subscription: Name, slot: Sequence = 0
    ) {
        self.database = database
        self.device = device
        self.source = source
        self.subscription = subscription
        self.slot = slot
    }

    /// In the order of the table's key.
    public static func < (left: DeliveryKey, right: DeliveryKey) -> Bool {
        if left.database != right.database { return left.database < right.database }
        if left.device != right.device { return left.device.lexicographicallyPrecedes(right.device) }
        if left.source != right.source { return left.source < right.source }
        if left.subscription != right.subscription { return left.subscription < right.subscription }
        return left.slot < right.slot
    }
}

/// Something that a device is yet to be told for one of its user's subscriptions (table `deliveries`). What comes before
/// it was sent is merged into it. What webhooks were told stays for a while, so that it can be sent again.
public struct DeliveryRow: Sendable, Equatable {
    public var key: DeliveryKey
    public var user: UserID
    public var channel: DeviceRow.Channel
    /// Of the last change it tells of, in the database that is subscribed to.
    public var sequence: Sequence
    /// How many changes it stands for.
    public var changes: Int64
    /// When the last of them was matched.
    public var createdAt: Milliseconds
    /// Not to be sent before.
    public var dueAt: Milliseconds
    /// Somebody is sending it until then; 0 for nobody.
    public var leasedUntil: Milliseconds
    /// How often it was tried in vain.
    public var attempts: Int64
    /// What devices show only the last notification of; empty for nothing.
    public var collapseID: Name
    /// What is sent: the payload of the last change (docs/protocol.md, "Notifications").
    public var payload: Bytes

    public init(
        key: DeliveryKey, user: UserID, channel: DeviceRow.Channel, sequence: Sequence, changes: Int64 = 1,
        createdAt: Milliseconds,
        dueAt: Milliseconds, leasedUntil: Milliseconds = 0, attempts: Int64 = 0, collapseID: Name = "", payload: Bytes
    ) {
        self.key = key
        self.user = user
        self.channel = channel
        self.sequence = sequence
        self.changes = changes
        self.createdAt = createdAt
        self.dueAt = dueAt
        self.leasedUntil = leasedUntil
        self.attempts = attempts
        self.collapseID = collapseID
        self.payload = payload
    }

    /// ``dueAt`` of what was sent, or given up, and only stays to be sent again on somebody's wish.
    public static let over = Milliseconds.max

    public var device: DeviceKey { DeviceKey(database: key.database, user: user, id: key.device) }

    public var checksum: Int64 {
        var sum = Checksum()
        for number in [
            key.database, key.source, key.slot, channel.rawValue, sequence, changes, createdAt, dueAt, leasedUntil,
            attempts,
        ] { sum.add(number) }
        sum.add(key.device)
        sum.add(key.subscription.bytes)
        sum.add(user)
        sum.add(collapseID.bytes)
        sum.add(payload)
        return sum.value
    }
}
