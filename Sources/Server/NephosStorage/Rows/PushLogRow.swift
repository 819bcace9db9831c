public import CloudKitWire

/// What became of a delivery (table `push_log`). It tells who was told of which subscription and when, and nothing of what
/// was said.
public struct PushLogRow: Sendable, Equatable {
    public enum Outcome: Int64, Sendable, CaseIterable {
        /// The device, or the service in front of it, has it.
        case delivered = 1
        /// It will be tried again.
        case failed = 2
        /// It was given up.
        case givenUp = 3
        /// The device is no more.
        case deviceGone = 4
    }

    /// The home of the device.
    public var database: DatabaseNumber
    public var at: Milliseconds
    /// Tells entries of the same moment apart: 8 random bytes.
    public var nonce: Int64
    public var user: UserID
    public var device: [UInt8]
    public var channel: DeviceRow.Channel
    public var source: DatabaseNumber
    public var subscription: Name
    public var outcome: Outcome
    /// How many changes it stood for.
    public var changes: Int64
    /// Which try it was, from 1.
    public var attempt: Int64
    /// From the last change being matched to this.
    public var milliseconds: Milliseconds
    /// What the other side said, in a few words.
    public var answer: String

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

    public var position: PushLogScan.Position { PushLogScan.Position(at: at, nonce: nonce) }

    public var checksum: Int64 {
        var sum = Checksum()
        for number in [
            database, at, nonce, channel.rawValue, source, outcome.rawValue, changes, attempt, milliseconds,
        ] { sum.add(number) }
        sum.add(user)
        sum.add(device)
        sum.add(subscription.bytes)
        sum.add(answer.utf8)
        return sum.value
    }
}
