import CloudKitWire
import NephosStorage

/// An access, or a permission for one, by somebody other than the person to what an app stores of them (table `accesses`): who,
/// when and why. The person sees it at `/account`, an operator by `nephos session log`.
struct AccessRow: Sendable, Equatable {
    enum Kind: Int64, Sendable {
        /// The person permits an operator to act as them, for a limited time.
        case grant = 1
        /// An operator signed in as them.
        case session
        /// An operator set another password for their account.
        case password
        /// An operator wrote what is stored of them to a file.
        case export
        /// A server with its own login signed them in.
        case external
        /// An operator saw whom they share something with, and not what.
        case shares
        /// An operator ended a share of theirs, or took somebody out of it.
        case revocation
    }

    var user: UserID
    var at: Milliseconds
    /// 8 random bytes.
    var id: [UInt8]
    var kind: Kind
    /// The operator, as named in histories, or the ID of a server key; empty for a grant, which is made by the person.
    var who: String
    /// The operator's reason; empty if the person permitted the access.
    var reason = ""
    /// When a grant ends; 0 for other kinds.
    var until: Milliseconds = 0
    /// Whether the person has yet to be notified: of an access without permission, or of a password that an operator set.
    var isUnannounced = false
}

extension AccessRow: StoredRow {
    // Not counted, so that signing in writes no row shared with others.
    static let table = Table(
        of: Self.self, "accesses", .tenant, key: ["user_id", "at", "id"],
        indexes: [
            Table.Index("accesses_granted", ["user_id", "until", "id"]),
            Table.Index("accesses_untold", ["user_id", "untold", "id"]),
        ], person: "user_id")
    static let sample = AccessRow(
        user: UserID(high: 0, low: 1), at: 0, id: [], kind: .session, who: "")

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.user("user_id", &user)
        try columns.int("at", &at)
        try columns.bytes("id", &id)
        try columns.kind("kind", &kind)
        try columns.text("who", &who)
        try columns.text("reason", &reason)
        try columns.int("until", &until)
        try columns.flag("untold", &isUnannounced)
    }

    /// Newest first.
    static func of(_ user: UserID, limit: Int) -> Scan<Self> { Scan(.user(user), descending: true, limit: limit) }

    /// The oldest, which may be due for removal.
    static func oldest(of user: UserID) -> Scan<Self> { Scan(.user(user), limit: 2) }

    /// The grants, the last to end first; also includes expired grants and rows that are not grants.
    static func grants(of user: UserID) -> Scan<Self> {
        Scan(by: "accesses_granted", .user(user), descending: true, limit: 8)
    }

    static func unannounced(of user: UserID, limit: Int) -> Scan<Self> {
        Scan(by: "accesses_untold", .user(user), .int(1), limit: limit)
    }
}
