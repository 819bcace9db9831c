public import CloudKitWire

/// A subscription to changes of one database (table `subscriptions`). A name is unique among those of one person in one database.
public struct SubscriptionRow: Sendable, Equatable {
    /// What a subscription watches.
    public enum Kind: Int64, Sendable {
        /// Records of a type that pass conditions.
        case query = 1
        /// One zone.
        case zone = 2
        /// The custom zones of the database.
        case database = 3
        /// The zones of others that the owner of the database sees. Its name begins with a byte 1, which no other name contains.
        case sharedDatabase = 4
    }

    /// The database that it watches.
    public var database: DatabaseNumber
    /// The person, or the key, that created it.
    public var user: UserID
    /// The name of the subscription: `subscriptionID`.
    public var name: Name
    /// The sequence of the database when it was last saved: it is notified of changes after that.
    public var sequence: Sequence
    /// What it watches.
    public var kind: Kind
    /// When it was saved first, in milliseconds since 1970.
    public var createdAt: Milliseconds
    /// The dictionary as it is sent in responses.
    public var dictionary: Bytes

    /// Creates a row from its columns.
    public init(
        database: DatabaseNumber, user: UserID, name: Name, sequence: Sequence, kind: Kind, createdAt: Milliseconds,
        dictionary: Bytes
    ) {
        self.database = database
        self.user = user
        self.name = name
        self.sequence = sequence
        self.kind = kind
        self.createdAt = createdAt
        self.dictionary = dictionary
    }

    /// The amount that it adds to ``HeadRow/watchers``. What happens in zones of others is noted by those who write it.
    package var watching: Watchers {
        kind == .sharedDatabase ? .none : Watchers(subscriptions: 1, queries: kind == .query ? 1 : 0)
    }
}

extension SubscriptionRow: StoredRow {
    public static let table = Table(
        of: Self.self, "subscriptions", .database, key: ["db", "user_id", "name"],
        indexes: [Table.Index("subscriptions_by_seq", ["db", "seq"], isUnique: true)], isCounted: true,
        person: "user_id",
        checksum: .frozen(["db", "seq", "kind", "created_at", "user_id", "name", "dictionary"]))

    public static let sample = SubscriptionRow(
        database: 1, user: UserID(high: 0, low: 1), name: "name", sequence: 1, kind: .query, createdAt: 0,
        dictionary: Bytes("{}"))

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.user("user_id", &user)
        try columns.name("name", &name)
        try columns.int("seq", &sequence)
        try columns.kind("kind", &kind)
        try columns.int("created_at", &createdAt)
        try columns.utf8("dictionary", &dictionary)
    }

    public var givenSequence: Sequence? { sequence }

    public func count(in head: inout HeadRow, times: Int64, checksum: Int64) {
        if times > 0 { head.watchers += watching } else { head.watchers -= watching }
    }

    // MARK: Scans

    /// The subscriptions of one person in a database, by name.
    public static func of(_ user: UserID, in database: DatabaseNumber, limit: Int = .max) -> Scan<Self> {
        Scan(.database(database), .user(user), limit: limit)
    }

    /// One of a person's subscriptions to zones of others, if they have any.
    public static func anyShared(of user: UserID, in database: DatabaseNumber) -> Scan<Self> {
        Scan(
            .database(database), .user(user), only: [.equal("kind", .kind(Kind.sharedDatabase))], limit: 1)
    }

    /// All subscriptions in a database that were saved after a sequence, in the order in which they were saved.
    public static func savedAfter(_ sequence: Sequence, in database: DatabaseNumber, limit: Int) -> Scan<Self> {
        Scan(by: "subscriptions_by_seq", .database(database), above: [.int(sequence)], limit: limit)
    }

    /// Subscriptions that were saved at these sequences and are unchanged since, in any order.
    public static func savedAt(_ sequences: [Sequence], in database: DatabaseNumber) -> Scan<Self> {
        Scan(by: "subscriptions_by_seq", .database(database), among: sequences.map { [.int($0)] })
    }
}

/// The number of subscriptions that watch a database. One number in its head, so that a writer knows immediately whether
/// change events are needed, and whether they must include records.
public struct Watchers: RawRepresentable, Sendable, Equatable {
    /// Queries in the upper, all subscriptions in the lower 32 bits.
    public let rawValue: Int64

    public init(rawValue: Int64) { self.rawValue = rawValue }

    package init(subscriptions: Int64, queries: Int64) { rawValue = queries << 32 | subscriptions }

    /// Nothing watches the database.
    public static let none = Watchers(rawValue: 0)

    /// How many subscriptions watch the database, of any kind.
    public var subscriptions: Int64 { rawValue & 0xFFFF_FFFF }
    /// The number of subscriptions of the kind ``SubscriptionRow/Kind/query``.
    public var queries: Int64 { rawValue >> 32 }

    package static func += (sum: inout Watchers, other: Watchers) {
        sum = Watchers(rawValue: sum.rawValue + other.rawValue)
    }

    package static func -= (sum: inout Watchers, other: Watchers) {
        sum = Watchers(rawValue: sum.rawValue - other.rawValue)
    }
}
