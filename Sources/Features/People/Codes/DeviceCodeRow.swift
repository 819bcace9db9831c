import NephosStorage

/// A program without a page that asks for sign-in (table `device_codes`, of the installation, because a person who types a code
/// has not stated the container). Shared by all servers.
struct DeviceCodeRow: Sendable, Equatable {
    enum State: Int64, Sendable { case waiting = 0, allowed = 1, refused = 2 }

    /// From its creation.
    static let lifetime: Milliseconds = 10 * 60_000

    /// ``SignInCode/hash(key:)`` of the code that the person types.
    var code: [UInt8]
    /// ``DeviceSecret/hash(_:)`` of the secret with which the program polls.
    var device: [UInt8]
    var container: String
    var environment: Environment
    /// Hash of the API token.
    var token: [UInt8]
    /// The program's network, and the site that it is in (`ClientNetwork`); empty if there is none.
    var network, site: String
    var createdAt: Milliseconds
    var state = State.waiting
    /// ID of the session created when the person allowed it; empty until then.
    var session: [UInt8] = []
    /// Seconds that the program has to wait between polls.
    var interval: Int64
    /// The time of the last poll; 0 until then.
    var polledAt: Milliseconds = 0

    var tenant: Tenant { Tenant(container: container, environment: environment) }

    func isValid(at now: Milliseconds) -> Bool { now < createdAt + Self.lifetime }
}

extension DeviceCodeRow: StoredRow {
    // Not counted, so that signing in writes no row shared with others.
    static let table = Table(
        of: Self.self, "device_codes", .installation, key: ["code"],
        indexes: [
            Table.Index("device_codes_by_device", ["device"]),
            Table.Index("device_codes_by_network", ["network", "created_at", "code"]),
            Table.Index("device_codes_by_site", ["site", "created_at", "code"]),
            Table.Index("device_codes_by_age", ["created_at", "code"]),
        ])
    static let sample = DeviceCodeRow(
        code: [], device: [], container: "", environment: .development, token: [], network: "", site: "",
        createdAt: 0, interval: 5)

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.bytes("code", &code)
        try columns.bytes("device", &device)
        try columns.text("container", &container)
        var text = environment.rawValue
        try columns.text("environment", &text)
        guard let read = Environment(rawValue: text) else { throw .corrupt("device_codes.environment") }
        environment = read
        try columns.bytes("token", &token)
        try columns.text("network", &network)
        try columns.text("site", &site)
        try columns.int("created_at", &createdAt)
        try columns.kind("state", &state)
        try columns.bytes("session", &session)
        try columns.int("poll_interval", &interval)
        try columns.int("polled_at", &polledAt)
    }

    static func keyed(_ code: [UInt8]) -> Scan<Self> { Scan(.bytes(code), limit: 1, lock: .update) }

    static func of(device: [UInt8]) -> Scan<Self> {
        Scan(by: "device_codes_by_device", .bytes(device), limit: 1, lock: .update)
    }

    /// Those that a network requested after a time.
    static func from(_ network: String, after time: Milliseconds, limit: Int) -> Scan<Self> {
        Scan(by: "device_codes_by_network", .text(network), above: [.int(time)], limit: limit)
    }

    static func from(site: String, after time: Milliseconds, limit: Int) -> Scan<Self> {
        Scan(by: "device_codes_by_site", .text(site), above: [.int(time)], limit: limit)
    }

    static func old(before time: Milliseconds, limit: Int) -> Scan<Self> {
        Scan(by: "device_codes_by_age", below: [.int(time)], limit: limit)
    }
}
