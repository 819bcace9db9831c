public import CloudKitWire

/// The outcome of a delivery (table `push_log`). It contains who was notified for which subscription and when, but nothing of the content.
public struct PushLogRow: Sendable, Equatable {
    /// How a delivery ended.
    public enum Outcome: Int64, Sendable, CaseIterable {
        /// The device, or the service in front of it, has received it.
        case delivered = 1
        /// It will be tried again.
        case failed = 2
        /// It was given up.
        case givenUp = 3
        /// The device no longer exists.
        case deviceGone = 4
    }

    /// The home of the device.
    public var database: DatabaseNumber
    /// When it ended, in milliseconds since 1970.
    public var at: Milliseconds
    /// Distinguishes entries of the same time: 8 random bytes.
    public var nonce: Int64
    /// Whose subscription it was for.
    public var user: UserID
    /// The ID of the device.
    public var device: [UInt8]
    /// How the device was reached.
    public var channel: DeviceRow.Channel
    /// The database that is subscribed to.
    public var source: DatabaseNumber
    /// The name of the subscription.
    public var subscription: Name
    /// How it ended.
    public var outcome: Outcome
    /// The number of changes that the delivery included.
    public var changes: Int64
    /// The number of the attempt, from 1.
    public var attempt: Int64
    /// The time from the match of the last change to this entry.
    public var milliseconds: Milliseconds
    /// The response of the other side, in a few words.
    public var answer: String

    /// Logs how a delivery ended.
    public init(
        of delivery: DeliveryRow, at: Milliseconds, nonce: Int64, outcome: Outcome, answer: String
    ) {
        database = delivery.key.database
        self.at = at
        self.nonce = nonce
        user = delivery.user
        device = delivery.key.device
        channel = delivery.channel
        source = delivery.key.source
        subscription = delivery.key.subscription
        self.outcome = outcome
        changes = delivery.changes
        attempt = delivery.attempts + 1
        milliseconds = max(at - delivery.createdAt, 0)
        self.answer = answer
    }

    package init(
        database: DatabaseNumber, at: Milliseconds, nonce: Int64, user: UserID, device: [UInt8],
        channel: DeviceRow.Channel, source: DatabaseNumber, subscription: Name, outcome: Outcome, changes: Int64,
        attempt: Int64, milliseconds: Milliseconds, answer: String
    ) {
        self.database = database
        self.at = at
        self.nonce = nonce
        self.user = user
        self.device = device
        self.channel = channel
        self.source = source
        self.subscription = subscription
        self.outcome = outcome
        self.changes = changes
        self.attempt = attempt
        self.milliseconds = milliseconds
        self.answer = answer
    }
}

extension PushLogRow: StoredRow {
    public static let table = Table(
        of: Self.self, "push_log", .database, key: ["db", "at", "nonce"],
        indexes: [
            Table.Index("push_log_by_time", ["at", "nonce"], isNamedInFiles: false),
            Table.Index("push_log_by_user", ["user_id", "at", "nonce"]),
        ],
        isGuarded: false,
        checksum: .frozen([
            "db", "at", "nonce", "channel", "source_db", "outcome", "changes", "attempt", "milliseconds", "user_id",
            "device", "subscription", "answer",
        ]))

    public static let sample = PushLogRow(
        database: 1, at: 0, nonce: 0, user: UserID(high: 0, low: 1), device: [], channel: .apns, source: 1,
        subscription: "", outcome: .delivered, changes: 1, attempt: 1, milliseconds: 0, answer: "")

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.int("at", &at)
        try columns.int("nonce", &nonce)
        try columns.user("user_id", &user)
        try columns.bytes("device", &device)
        try columns.kind("channel", &channel)
        try columns.int("source_db", &source)
        try columns.name("subscription", &subscription)
        try columns.kind("outcome", &outcome)
        try columns.int("changes", &changes)
        try columns.int("attempt", &attempt)
        try columns.int("milliseconds", &milliseconds)
        try columns.text("answer", &answer)
    }

    // MARK: Scans

    /// The newest entries, the newest first; of one user or of all.
    public static func newest(of user: UserID?, limit: Int) -> Scan<Self> {
        guard let user else { return Scan(by: "push_log_by_time", descending: true, limit: limit) }
        return Scan(by: "push_log_by_user", .user(user), descending: true, limit: limit)
    }

    /// The entries after this time and nonce, oldest first.
    public static func after(_ time: Milliseconds, nonce: Int64 = .max, limit: Int) -> Scan<Self> {
        Scan(by: "push_log_by_time", above: [.int(time), .int(nonce)], limit: limit)
    }

    /// The entries before a time, oldest first. A commit skips those that another transaction has locked.
    public static func before(_ time: Milliseconds, limit: Int) -> Scan<Self> {
        Scan(by: "push_log_by_time", below: [.int(time)], limit: limit, lock: .skipLocked)
    }
}
