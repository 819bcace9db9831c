import CloudKitWire
import NephosStorage
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The message that processes send each other with NOTIFY: there are deliveries for devices of a tenant.
///
/// Every role that can connect to the database can listen to it and send messages of its own. So it is sealed under the keys of the
/// store: others learn only that and when something is delivered, and what they send is dropped (``ReceivedNotifications``).
///
/// Only the pump writes deliveries, in large transactions, and these notify. Saves do not: PostgreSQL lets only one
/// transaction with notifications commit at a time, in the whole database.
///
/// Every such role can also fill PostgreSQL's queue of notifications, and then whatever notifies fails. So a notification is not a part
/// of the transaction that it is about, but follows its commit.
struct Notification {
    let tenant: Int64
    let devices: [[UInt8]]
    /// Milliseconds since 1970, by the sender's clock.
    let sentAt: Int64

    /// A payload has less than 8,000 bytes; this many ids of 16 bytes, sealed and in Base64, leave room for the rest.
    private static let devicesMax = 240
    private static let headBytes = 16

    init(tenant: Int64, devices: [[UInt8]], sentAt: Int64) {
        (self.tenant, self.devices, self.sentAt) = (tenant, devices, sentAt)
    }

    /// - Parameter opened: A message that was sealed.
    /// - Returns: nil for a message that this version does not support.
    init?(opened bytes: [UInt8]) {
        let ids = bytes.dropFirst(Self.headBytes)
        guard bytes.count > Self.headBytes, ids.count.isMultiple(of: DeviceRow.idBytes) else { return nil }
        (sentAt, tenant) = (Self.number(bytes[..<8]), Self.number(bytes[8..<16]))
        devices = stride(from: ids.startIndex, to: ids.endIndex, by: DeviceRow.idBytes).map {
            Array(ids[$0..<$0 + DeviceRow.idBytes])
        }
    }

    /// What is sealed.
    var bytes: [UInt8] { Self.bytes(sentAt) + Self.bytes(tenant) + devices.flatMap(\.self) }

    private static func bytes(_ number: Int64) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 { bytes.reduce(0) { $0 << 8 | Int64($1) } }

    /// Sends as many notifications as the devices need, after the transaction was committed; none without keys, since news are hints.
    static func send(
        _ devices: [[UInt8]], of tenant: TenantNumber, on channel: String, sealedBy keys: SecretKeys,
        _ transaction: Transaction
    ) throws(StorageError) {
        var rest = devices[...]
        while !rest.isEmpty {
            let some = Notification(
                tenant: tenant.value, devices: Array(rest.prefix(devicesMax)), sentAt: ReceivedNotifications.now())
            rest = rest.dropFirst(devicesMax)
            guard let sealed = try keys.sealed(message: some.bytes) else { return }
            transaction.afterCommit(Call(notify, channel, Base64.text(sealed)))
        }
    }

    /// Does not wait for a disk: a crash may lose it.
    private static let notify = Statement(
        "SELECT pg_notify($1, $2)::text FROM set_config('synchronous_commit', 'off', true)")
}

/// Accepts each notification of a server of this store once, and soon after it was sent. Whatever others send, and what they record and
/// send again, causes no work but this.
final class ReceivedNotifications: Sendable {
    /// How far the clocks of servers may differ, and messages be late, in milliseconds.
    private static let lateness: Int64 = 60_000

    private struct Known {
        /// Since when the newer ones are gathered, by this machine's clock.
        var since: Int64 = 0
        var newer: Set<[UInt8]> = []
        var older: Set<[UInt8]> = []
    }

    private let known = Mutex(Known())

    /// - Parameter now: Milliseconds since 1970, by this machine's clock.
    /// - Returns: nil for one that is forged, late, or was received before.
    func notification(
        _ payload: String, _ keys: SecretKeys, now: Int64 = ReceivedNotifications.now()
    ) -> Notification? {
        guard let sealed = Base64.bytes(exactly: payload, .standard), let bytes = keys.opened(message: sealed),
            let notification = Notification(opened: bytes)
        else { return nil }
        guard abs(now - notification.sentAt) <= Self.lateness else { return nil }
        // The tag of a sealed message, which no other one has.
        let identity = Array(sealed.suffix(16))
        let isNew = known.withLock { known in
            // Twice the lateness, because the sender's clock may be ahead. Before it, if this machine's clock was set back.
            if !(0...2 * Self.lateness).contains(now - known.since) {
                (known.since, known.older, known.newer) = (now, known.newer, [])
            }
            return !known.older.contains(identity) && known.newer.insert(identity).inserted
        }
        return isNew ? notification : nil
    }

    /// How many it remembers, for tests.
    var count: Int { known.withLock { $0.older.count + $0.newer.count } }

    /// Milliseconds since 1970, by this machine's clock.
    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
