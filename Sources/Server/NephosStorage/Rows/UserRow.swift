public import CloudKitWire

/// A person, or a server-to-server key, as a user of one tenant (table `users`).
public struct UserRow: Sendable, Equatable {
    /// Who knows the user.
    public enum Source: Int64, Sendable {
        /// The installation: the person has an account here.
        case account = 0
        /// The tenant itself: the user is a server-to-server key.
        case serverKey = 1
        /// A person who is authenticated by another server, for this container and environment only.
        case external = 2

        package var isPerson: Bool { self != .serverKey }
    }

    /// The ID of the user, which no other user of the tenant has.
    public var id: UserID
    /// Who knows the user.
    public var source: Source
    /// The id of the account (a person) or of the key, or a person's id on another server. Unique together with `source`.
    public var sourceID: String
    /// The person's private database; 0 for a key, which has none.
    public var privateDatabase: DatabaseNumber
    /// When the row was created, in milliseconds since 1970.
    public var createdAt: Milliseconds

    /// Creates a row from its columns.
    public init(
        id: UserID, source: Source, sourceID: String, privateDatabase: DatabaseNumber, createdAt: Milliseconds
    ) {
        self.id = id
        self.source = source
        self.sourceID = sourceID
        self.privateDatabase = privateDatabase
        self.createdAt = createdAt
    }

    /// The database with the devices of the user: the private database, or the public one for a key.
    public var home: DatabaseNumber { privateDatabase == 0 ? 1 : privateDatabase }
}

extension UserRow: StoredRow {
    public static let table = Table(
        of: Self.self, "users", .tenant, key: ["id"],
        indexes: [Table.Index("users_by_source", ["source", "source_id"], isUnique: true, isNamedInFiles: false)],
        checksum: .frozen(["id", "source", "private_db", "created_at", "source_id"]))
    public static let sample = UserRow(
        id: UserID(high: 0, low: 1), source: .account, sourceID: "", privateDatabase: 2, createdAt: 0)

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.user("id", &id)
        try columns.kind("source", &source)
        try columns.text("source_id", &sourceID)
        try columns.int("private_db", &privateDatabase)
        try columns.int("created_at", &createdAt)
    }

    // MARK: Scans

    /// The users with these IDs, those that exist, in any order.
    public static func keyed(_ ids: [UserID]) -> Scan<Self> { Scan(among: ids.map { [.user($0)] }) }

    /// The users that these sources know by these IDs, those that exist, in any order.
    public static func from(_ sources: [(source: Source, id: String)]) -> Scan<Self> {
        Scan(by: "users_by_source", among: sources.map { [.kind($0.source), .text($0.id)] })
    }
}
