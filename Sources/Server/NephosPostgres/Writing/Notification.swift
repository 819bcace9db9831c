import CloudKitWire
import NephosStorage

/// What processes tell each other over NOTIFY: that there is something for devices of a tenant.
///
/// Only the pump writes deliveries, in large transactions, so these notify. Saves do not: PostgreSQL lets one transaction
/// with notifications commit at a time, in the whole database.
struct Notification {
    let tenant: Int64
    let devices: [[UInt8]]

    /// A payload has less than 8,000 bytes; so many ids of 16 bytes, as hexadecimal digits, leave room for the tenant.
    private static let devicesMax = 240

    init(tenant: Int64, devices: [[UInt8]]) {
        self.tenant = tenant
        self.devices = devices
    }

    /// - Returns: nil for a payload that this version does not know.
    init?(_ payload: String) {
        let parts = payload.split(separator: " ")
        guard parts.count == 3, parts[0] == "d", let tenant = Digits.number(parts[1].utf8) else { return nil }
        let digits = parts[2].utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue.map(UInt8.init) }
        guard digits.count == parts[2].utf8.count, digits.count.isMultiple(of: 2 * DeviceRow.idBytes) else {
            return nil
        }
        self.tenant = tenant
        devices = stride(from: 0, to: digits.count, by: 2 * DeviceRow.idBytes).map { start in
            (0..<DeviceRow.idBytes).map { digits[start + 2 * $0] << 4 | digits[start + 2 * $0 + 1] }
        }
    }

    private var payload: String {
        "d \(tenant) " + devices.map { $0.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }.joined()
    }

    /// Notifies as many times as the devices need, when the transaction commits.
    static func send(_ devices: [[UInt8]], of tenant: TenantNumber, on channel: String, _ transaction: Transaction) {
        var rest = devices[...]
        while !rest.isEmpty {
            let notification = Notification(tenant: tenant.value, devices: Array(rest.prefix(devicesMax)))
            rest = rest.dropFirst(devicesMax)
            transaction.later(notify) {
                $0.add(channel)
                $0.add(notification.payload)
            }
        }
    }

    private static let notify = Statement("SELECT pg_notify($1, $2)::text")
}
