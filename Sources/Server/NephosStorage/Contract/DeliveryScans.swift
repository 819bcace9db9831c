/// Deliveries that no order of the table finds. A commit that reads them keeps others from changing them until it ends.
public enum DeliveryScan: Sendable, Hashable {
    /// Those of these devices that nobody is sending, due or not, each device's in the order in which they become due, and
    /// at the same time in that of the changes. A commit passes over those that another is at.
    case waiting([DeviceKey], now: Milliseconds, perDevice: Int)
    /// Those of all devices of a channel that is sent to (``DeviceRow/Channel/isSentTo``) which are due and that nobody is
    /// sending, the first due first. A commit passes over those that another is at.
    case toSend(DeviceRow.Channel, now: Milliseconds, limit: Int)
    /// Of one device, the newest first.
    case of(DeviceKey, limit: Int)
}
