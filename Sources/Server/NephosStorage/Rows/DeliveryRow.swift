public import CloudKitWire

/// Identifies a delivery: for pushes there is at most one for each device and subscription, for webhooks one for each change.
public struct DeliveryKey: Sendable, Hashable, Comparable {
    /// The home of the device.
    public var database: DatabaseNumber
    /// The ID of the device.
    public var device: [UInt8]
    /// The database of the subscription.
    public var source: DatabaseNumber
    /// The name of the subscription.
    public var subscription: Name
    /// 0 for a delivery that the next change is merged into; otherwise the sequence of the only change that it is about.
    public var slot: Sequence

    /// Names a delivery; by default the one that takes in the next change.
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

/// A notification of a device that is to be sent for one of its user's subscriptions (table `deliveries`). Changes that
/// happen before it was sent are merged into it. Deliveries of webhooks are kept for a while, so that they can be sent again.
public struct DeliveryRow: Sendable, Equatable {
    /// Which delivery it is.
    public var key: DeliveryKey
    /// Whose subscription it is for.
    public var user: UserID
    /// How the device is reached.
    public var channel: DeviceRow.Channel
    /// The sequence of the last change that it includes, in the database of the subscription.
    public var sequence: Sequence
    /// The number of changes that it includes.
    public var changes: Int64
    /// When the last of them was matched.
    public var createdAt: Milliseconds
    /// It is not sent before this time.
    public var dueAt: Milliseconds
    /// The lease of its sender ends then; 0 if it is not being sent.
    public var leasedUntil: Milliseconds
    /// The number of failed attempts.
    public var attempts: Int64
    /// Of notifications with the same ID, devices show only the last one; empty for none.
    public var collapseID: Name
    /// The body to send: the payload of the last change (docs/protocol.md, "Notifications").
    public var payload: Bytes

    /// Creates a row from its columns.
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

    /// ``dueAt`` of a delivery that was sent, or given up, and is kept only so that it can be sent again on request.
    public static let completed = Milliseconds.max

    /// The device that it is for.
    public var device: DeviceKey { DeviceKey(database: key.database, user: user, id: key.device) }
}

extension DeliveryRow: StoredRow {
    public static let table = Table(
        of: Self.self, "deliveries", .database, key: ["db", "device", "source_db", "subscription", "slot"],
        indexes: [
            Table.Index("deliveries_to_send", ["channel", "due_at", "created_at"], where: "channel <> 1")
        ],
        parent: Table.Parent("devices", ["db": "db", "user_id": "user_id", "id": "device"], same: ["channel"]),
        checksum: .frozen([
            "db", "source_db", "slot", "channel", "seq", "changes", "created_at", "due_at", "leased_until", "attempts",
            "device", "subscription", "user_id", "collapse_id", "payload",
        ]))

    public static let sample = DeliveryRow(
        key: DeliveryKey(database: 1, device: [], source: 1, subscription: ""), user: UserID(high: 0, low: 1),
        channel: .webhook, sequence: 1, createdAt: 0, dueAt: 0, payload: Bytes("{}"))

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&key.database)
        try columns.bytes("device", &key.device)
        try columns.int("source_db", &key.source)
        try columns.name("subscription", &key.subscription)
        try columns.int("slot", &key.slot)
        try columns.user("user_id", &user)
        try columns.kind("channel", &channel)
        try columns.int("seq", &sequence)
        try columns.int("changes", &changes)
        try columns.int("created_at", &createdAt)
        try columns.int("due_at", &dueAt)
        try columns.int("leased_until", &leasedUntil)
        try columns.int("attempts", &attempts)
        try columns.name("collapse_id", &collapseID)
        try columns.utf8("payload", &payload)
    }

    // MARK: Scans

    /// The deliveries with these keys that exist, in any order. A commit locks them for update.
    public static func keyed(_ keys: [DeliveryKey]) -> Scan<Self> {
        Scan(
            among: keys.map {
                [
                    .database($0.database), .bytes($0.device), .int($0.source), .name($0.subscription), .int($0.slot),
                ]
            }, lock: .update)
    }

    /// The deliveries of a device that are not being sent, due or not, by the time at which they become due, then in the
    /// order of the changes. A commit skips those that another transaction has locked.
    public static func waiting(for device: DeviceKey, now: Milliseconds, limit: Int) -> Scan<Self> {
        Scan(
            .database(device.database), .bytes(device.id), only: [.atMost("leased_until", .int(now))],
            sorted: [.up("due_at"), .up("source_db"), .up("seq"), .up("subscription"), .up("slot")], limit: limit,
            lock: .skipLocked)
    }

    /// The deliveries of all devices of a channel that is sent to (``DeviceRow/Channel/isSentTo``) that are due and are not
    /// being sent, the first due first. A commit skips those that another transaction has locked.
    public static func toSend(_ channel: DeviceRow.Channel, now: Milliseconds, limit: Int) -> Scan<Self> {
        Scan(
            by: "deliveries_to_send", .kind(channel),
            only: [.atMost("due_at", .int(now)), .atMost("leased_until", .int(now))], limit: limit, lock: .skipLocked)
    }

    /// The deliveries of one device, the newest first. A commit locks them for update.
    public static func of(_ device: DeviceKey, limit: Int) -> Scan<Self> {
        Scan(
            .database(device.database), .bytes(device.id),
            sorted: [.down("created_at"), .up("source_db"), .up("subscription"), .up("slot")], limit: limit,
            lock: .update)
    }

    /// Completed deliveries of webhooks (``completed``) that were created before a time, the oldest first. A commit skips those
    /// that another transaction has locked.
    public static func completed(createdBefore time: Milliseconds, limit: Int) -> Scan<Self> {
        Scan(
            by: "deliveries_to_send", .kind(DeviceRow.Channel.webhook), .int(completed), below: [.int(time)],
            limit: limit,
            lock: .skipLocked)
    }
}
