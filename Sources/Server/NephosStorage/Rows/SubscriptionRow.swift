public import CloudKitWire

/// What somebody wants to be told of one database (table `subscriptions`). A name is unique among those of one person in
/// one database.
public struct SubscriptionRow: Sendable, Equatable {
    public enum Kind: Int64, Sendable { case query = 1, zone = 2, database = 3 }

    public var database: DatabaseNumber
    public var user: UserID
    /// `subscriptionID`.
    public var name: Name
    /// The database's when it was saved last: it tells of changes behind it.
    public var sequence: Sequence
    public var kind: Kind
    public var createdAt: Milliseconds
    /// The dictionary as it is answered.
    public var dictionary: Bytes

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

    /// What it adds to ``HeadRow/watchers``.
    package var watching: Watchers { Watchers(subscriptions: 1, queries: kind == .query ? 1 : 0) }

    public var checksum: Int64 {
        var sum = Checksum()
        for number in [database, sequence, kind.rawValue, createdAt] { sum.add(number) }
        sum.add(user)
        sum.add(name.bytes)
        sum.add(dictionary)
        return sum.value
    }
}

/// How much watches a database. One number in its head, so that a writer knows at once whether change events are needed,
/// and whether records must go with them.
public struct Watchers: RawRepresentable, Sendable, Equatable {
    /// Queries above, all subscriptions in the lower 32 bits.
    public let rawValue: Int64

    public init(rawValue: Int64) { self.rawValue = rawValue }

    package init(subscriptions: Int64, queries: Int64) { rawValue = queries << 32 | subscriptions }

    public static let none = Watchers(rawValue: 0)

    public var subscriptions: Int64 { rawValue & 0xFFFF_FFFF }
    /// Those subscriptions that are of the kind ``SubscriptionRow/Kind/query``.
    public var queries: Int64 { rawValue >> 32 }

    package static func += (sum: inout Watchers, other: Watchers) {
        sum = Watchers(rawValue: sum.rawValue + other.rawValue)
    }

    package static func -= (sum: inout Watchers, other: Watchers) {
        sum = Watchers(rawValue: sum.rawValue - other.rawValue)
    }
}
