public import CloudKitWire

/// Identifies a device: its home database, its user, and its id.
public struct DeviceKey: Sendable, Hashable, Comparable {
    /// The private database of its person; 1 for a server-to-server key, which has none.
    public var database: DatabaseNumber
    /// Whose device it is.
    public var user: UserID
    /// The ID of the device: 16 bytes.
    public var id: [UInt8]

    /// Names a device.
    public init(database: DatabaseNumber, user: UserID, id: [UInt8]) {
        self.database = database
        self.user = user
        self.id = id
    }

    /// In the order of the table's key.
    public static func < (left: DeviceKey, right: DeviceKey) -> Bool {
        if left.database != right.database { return left.database < right.database }
        if left.user != right.user { return (left.user.high, left.user.low) < (right.user.high, right.user.low) }
        return left.id.lexicographicallyPrecedes(right.id)
    }
}

/// A receiver of notifications of changes (table `devices`): an app in a browser that polls, a phone, a server.
public struct DeviceRow: Sendable, Equatable {
    /// How a device is reached.
    public enum Channel: Int64, Sendable, CaseIterable {
        /// It polls for notifications, and waits for them (`webcourierURL`, event streams).
        case courier = 1
        /// Apple's push service.
        case apns = 2
        /// A POST to a server.
        case webhook = 3

        /// Whether the server sends to it on its own initiative.
        public var isSentTo: Bool { self != .courier }
    }

    /// The length of an id in bytes.
    public static let idBytes = 16

    /// Which device it is.
    public var key: DeviceKey
    /// How it is reached.
    public var channel: Channel
    /// The `clientId` that it specified: it is not notified of changes made under it. Empty for none.
    public var client: String
    /// Whether it is reached through the development service: `apnsEnvironment`.
    public var isDevelopment: Bool
    /// Device token in hexadecimal digits (APNs), URL (webhook); empty for a courier.
    public var address: String
    /// The key that webhooks are signed with; empty for others, except for a courier that was created before ``session`` was
    /// added: there it is the id of its session.
    public var secret: Secret
    /// The id of the session that registered it last, with which it is removed. Empty for a device of a server key, and for a
    /// phone that was not seen since this column was added.
    public var session: [UInt8]
    /// SHA-256 of the API token under which a courier was registered, with which it is removed. Empty for phones, for devices
    /// of a server key, and for those that were registered before this column was added.
    public var token: [UInt8]
    /// When it was registered first, in milliseconds since 1970.
    public var createdAt: Milliseconds
    /// When it was last seen, approximately.
    public var usedAt: Milliseconds

    /// Creates a row from its columns.
    public init(
        key: DeviceKey, channel: Channel, client: String = "", isDevelopment: Bool = false, address: String = "",
        secret: [UInt8] = [], session: [UInt8] = [], token: [UInt8] = [], createdAt: Milliseconds,
        usedAt: Milliseconds? = nil
    ) {
        self.key = key
        self.channel = channel
        self.client = client
        self.isDevelopment = isDevelopment
        self.address = address
        self.secret = Secret(secret)
        self.session = session
        self.token = token
        self.createdAt = createdAt
        self.usedAt = usedAt ?? createdAt
    }

    /// The id of the session with which it is removed; empty without one.
    public var sessionID: [UInt8] { session.isEmpty && channel == .courier ? secret.bytes ?? [] : session }
}

extension DeviceRow: StoredRow {
    public static let table = Table(
        of: Self.self, "devices", .database, key: ["db", "user_id", "id"],
        indexes: [Table.Index("devices_by_id", ["id"]), Table.Index("devices_by_use", ["channel", "used_at"])],
        person: "user_id", withheld: ["secret"], isAtHome: true,
        checksum: .frozen(
            ["db", "user_id", "id", "channel", "development", "created_at", "used_at", "client", "address", "secret"],
            later: [["session", "token"]]))

    public static let sample = DeviceRow(
        key: DeviceKey(database: 1, user: UserID(high: 0, low: 1), id: Array(repeating: 0, count: idBytes)),
        channel: .webhook, createdAt: 0)

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&key.database)
        try columns.user("user_id", &key.user)
        try columns.bytes("id", &key.id)
        try columns.kind("channel", &channel)
        try columns.text("client", &client)
        try columns.flag("development", &isDevelopment)
        try columns.text("address", &address)
        // The secret of a courier is the id of its session, by which the store is searched.
        if channel == .webhook {
            try columns.sealed("secret", &secret)
        } else {
            try columns.clear("secret", &secret)
        }
        try columns.bytes("session", &session)
        try columns.bytes("token", &token)
        try columns.int("created_at", &createdAt)
        try columns.int("used_at", &usedAt)
    }

    public var flaw: String? { key.id.count == Self.idBytes ? nil : "its id has the wrong length" }

    // MARK: Scans

    /// The devices of a channel.
    public static func all(_ channel: Channel, limit: Int) -> Scan<Self> {
        Scan(by: "devices_by_use", .kind(channel), limit: limit)
    }

    /// All devices of these users, by the home databases of the users. A commit keeps them from being removed while it
    /// writes a delivery for them.
    public static func of(_ homes: [(user: UserID, home: DatabaseNumber)]) -> Scan<Self> {
        Scan(among: homes.map { [.database($0.home), .user($0.user)] }, lock: .keyShare)
    }

    /// A commit locks these rows for update.
    public static func keyed(_ keys: [DeviceKey]) -> Scan<Self> {
        Scan(among: keys.map { [.database($0.database), .user($0.user), .bytes($0.id)] }, lock: .update)
    }

    /// The devices of all users: a phone keeps its token when another person signs in. A commit locks them for update.
    public static func withID(_ id: [UInt8]) -> Scan<Self> {
        Scan(by: "devices_by_id", .bytes(id), limit: .max, lock: .update)
    }

    /// The devices of a channel that were not seen since a time, the longest silent first. A commit skips those that another
    /// transaction has locked.
    public static func silent(_ channel: Channel, since time: Milliseconds, limit: Int) -> Scan<Self> {
        Scan(by: "devices_by_use", .kind(channel), below: [.int(time)], limit: limit, lock: .skipLocked)
    }
}
