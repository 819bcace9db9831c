public import CloudKitWire

/// Devices of people and keys.
public enum DeviceScan: Sendable, Hashable {
    /// All of these users.
    case of([UserID])
    case keyed([DeviceKey])
    /// Whosoever's: a phone keeps its token when another person signs in.
    case withID([UInt8])
    /// The first of a channel, by the time of their making.
    case all(DeviceRow.Channel, limit: Int)
    /// Of a channel, not heard of since a time, the longest silent first. A commit passes over those that another is at.
    case silent(DeviceRow.Channel, since: Milliseconds, limit: Int)
}

/// Deliveries. A commit that reads them keeps others from changing them until it ends.
public enum DeliveryScan: Sendable, Hashable {
    /// Those with these keys that are there, in any order.
    case keyed([DeliveryKey])
    /// Those of these devices that nobody is sending, due or not, each device's in the order in which they become due, and
    /// at the same time in that of the changes. A commit passes over those that another is at.
    case waiting([DeviceKey], now: Milliseconds, perDevice: Int)
    /// Those of all devices of a channel that is sent to (``DeviceRow/Channel/isSentTo``) which are due and that nobody is
    /// sending, the first due first. A commit passes over those that another is at.
    case toSend(DeviceRow.Channel, now: Milliseconds, limit: Int)
    /// Of one device, the newest first.
    case of(DeviceKey, limit: Int)
    /// Those to webhooks that are over (``DeliveryRow/over``) and were made before a time, the oldest first. A commit passes
    /// over those that another is at.
    case over(madeBefore: Milliseconds, limit: Int)
}
