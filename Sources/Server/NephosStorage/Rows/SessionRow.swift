public import CloudKitWire

/// One sign-in of a person in one tenant (table `sessions`). Rotating tokens are derived from it, so that
/// rotation writes nothing.
public struct SessionRow: Sendable, Equatable {
    /// 16 random bytes.
    public var id: [UInt8]
    /// The person who is signed in.
    public var user: UserID
    /// The user's private database, so that a request needs no second look-up.
    public var privateDatabase: DatabaseNumber
    /// The key that signs this session's tokens: 32 random bytes.
    public var secret: Secret
    /// When it began, in milliseconds since 1970.
    public var createdAt: Milliseconds
    /// When it ends unless it is extended, in milliseconds since 1970.
    public var expiresAt: Milliseconds
    /// When it was ended early; otherwise 0.
    public var revokedAt: Milliseconds
    /// How long it lasts, and whether a use extends it.
    public var kind: Kind
    /// When it was last extended, or created: its last use, except for uses within ``Kind/interval`` of that. 0 for a fixed session.
    public var usedAt: Milliseconds
    /// When it ends regardless of use; 0 for a fixed session, which ends at ``expiresAt``.
    public var endsAt: Milliseconds
    /// The new value of ``CatalogHead/endedSessions`` when it was ended early; otherwise 0.
    public internal(set) var endNumber: Int64 = 0

    /// Creates a new session.
    public init(
        id: [UInt8], user: UserID, privateDatabase: DatabaseNumber, secret: [UInt8], createdAt: Milliseconds,
        expiresAt: Milliseconds, revokedAt: Milliseconds = 0, kind: Kind = .fixed
    ) {
        self.id = id
        self.user = user
        self.privateDatabase = privateDatabase
        self.secret = Secret(secret)
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.revokedAt = revokedAt
        self.kind = kind
        usedAt = kind == .fixed ? 0 : createdAt
        endsAt = kind == .fixed ? 0 : createdAt + Kind.longest
    }
}

extension SessionRow: StoredRow {
    public static let table = Table(
        of: Self.self, "sessions", .tenant, key: ["id"],
        indexes: [
            Table.Index("sessions_by_user", ["user_id", "expires_at", "id"]),
            Table.Index("sessions_by_end", ["expires_at", "id"]),
            Table.Index("sessions_ended", ["ended_no", "id"], where: "ended_no > 0"),
        ], person: "user_id",
        checksum: .frozen(
            ["id", "user_id", "secret", "private_db", "created_at", "expires_at", "revoked_at"],
            later: [["kind", "used_at", "ends_at", "ended_no"]]))
    public static let sample = SessionRow(
        id: [], user: UserID(high: 0, low: 1), privateDatabase: 2, secret: [], createdAt: 0, expiresAt: 0)

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.bytes("id", &id)
        try columns.user("user_id", &user)
        try columns.int("private_db", &privateDatabase)
        try columns.sealed("secret", &secret)
        try columns.int("created_at", &createdAt)
        try columns.int("expires_at", &expiresAt)
        try columns.int("revoked_at", &revokedAt)
        try columns.kind("kind", &kind)
        try columns.int("used_at", &usedAt)
        try columns.int("ends_at", &endsAt)
        try columns.int("ended_no", &endNumber)
    }

    public var flaw: String? {
        if kind == .fixed { return usedAt == 0 && endsAt == 0 ? nil : "it was extended, but has a fixed length" }
        return expiresAt <= endsAt ? nil : "it lasts longer than its limit"
    }

    // MARK: Scans

    /// The sessions with these IDs, those that exist, in any order.
    public static func keyed(_ ids: [[UInt8]]) -> Scan<Self> { Scan(among: ids.map { [.bytes($0)] }) }

    /// The same for a commit, which locks these rows for update.
    public static func locked(_ ids: [[UInt8]]) -> Scan<Self> {
        Scan(among: ids.map { [.bytes($0)] }, lock: .update)
    }

    /// The sessions of one user, the last to end first.
    public static func of(_ user: UserID, limit: Int) -> Scan<Self> {
        Scan(by: "sessions_by_user", .user(user), descending: true, limit: limit)
    }

    /// The sessions of one user that were not revoked, the last to end first.
    public static func unrevoked(of user: UserID, limit: Int) -> Scan<Self> {
        Scan(
            by: "sessions_by_user", .user(user), descending: true, only: [.equal("revoked_at", .int(0))], limit: limit)
    }

    /// All sessions, by id, after a key.
    public static func after(_ key: [ColumnValue]?, limit: Int) -> Scan<Self> { Scan(above: key, limit: limit) }

    /// All sessions, the last to end first.
    public static func newest(limit: Int) -> Scan<Self> { Scan(by: "sessions_by_end", descending: true, limit: limit) }

    /// Sessions that expired before a time, the first to end first.
    public static func expired(before time: Milliseconds, limit: Int) -> Scan<Self> {
        Scan(by: "sessions_by_end", below: [.int(time)], limit: limit)
    }

    /// Sessions that were ended early since a number of ``CatalogHead/endedSessions``, the first to end first.
    public static func ended(after number: Int64, limit: Int) -> Scan<Self> {
        Scan(by: "sessions_ended", above: [.int(number)], limit: limit)
    }
}
