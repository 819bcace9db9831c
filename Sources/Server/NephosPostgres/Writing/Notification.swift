import CloudKitWire
import NephosStorage

/// The message that processes send each other with NOTIFY: there are deliveries for devices of a tenant.
///
/// Only the pump writes deliveries, in large transactions, and these notify. Saves do not: PostgreSQL lets only one
/// transaction with notifications commit at a time, in the whole database.
struct Notification {
    let tenant: Int64
    let devices: [[UInt8]]

    /// A payload has less than 8,000 bytes; this many ids of 16 bytes, as hexadecimal digits, leave room for the tenant.
    private static let devicesMax = 240

    init(tenant: Int64, devices: [[UInt8]]) {
        self.tenant = tenant
        self.devices = devices
    }

    /// - Returns: nil for a payload that this version does not support.
    init?(_ payload: String) {
        let parts = payload.split(separator: " ")
        guard parts.count == 3, parts[0] == "d", let tenant = Digits.number(parts[1].utf8) else { return nil }
        guard let ids = Hexadecimal.bytes(parts[2]), ids.count.isMultiple(of: DeviceRow.idBytes) else { return nil }
        self.tenant = tenant
        devices = stride(from: 0, to: ids.count, by: DeviceRow.idBytes).map { Array(ids[$0..<$0 + DeviceRow.idBytes]) }
    }

    private var payload: String {
        "d \(tenant) " + devices.map(Hexadecimal.text).joined()
    }

    /// Sends as many notifications as the devices need, when the transaction commits.
    static func send(_ devices: [[UInt8]], of tenant: TenantNumber, on channel: String, _ transaction: Transaction) {
        var rest = devices[...]
        while !rest.isEmpty {
            let notification = Notification(tenant: tenant.value, devices: Array(rest.prefix(devicesMax)))
            rest = rest.dropFirst(devicesMax)
            transaction.later(notify, channel, notification.payload)
        }
    }

    private static let notify = Statement("SELECT pg_notify($1, $2)::text")
}
