import CloudKitWire
import NephosStorage

/// That somebody other than its person was let in to what an app keeps of a person, or may be (table `accesses`): who, when and why. Its
/// person sees it at `/account`, an operator by `nephos session log`.
struct AccessRow: Sendable, Equatable {
    enum Kind: Int64, Sendable {
        /// Their person lets whoever runs the server in, until a time.
        case grant = 1
        /// An operator was signed in as them.
        case session
        /// An operator gave their account another password.
        case password
        /// An operator wrote what is stored of them to a file.
        case export
        /// A server that knows its people signed them in.
        case external
    }

    var user: UserID
    var at: Milliseconds
    /// 8 random bytes.
    var id: [UInt8]
    var kind: Kind
    /// The operator, as histories name them, or the id of a server key; empty for a grant, which is their person's.
    var who: String
    /// Why, in the operator's words; empty where they were let in.
    var reason = ""
    /// When a grant ends; 0 for all else.
    var until: Milliseconds = 0
    /// Whether nobody let them in, or they know a password now, and their person has not been told.
    var isUntold = false
}

extension AccessRow: StoredRow {
    // Not counted: to sign in writes no row that others write, too.
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
        try columns.flag("untold", &isUntold)
    }

    /// The newest first.
    static func of(_ user: UserID, limit: Int) -> Scan<Self> { Scan(.user(user), descending: true, limit: limit) }

    /// The oldest, for what is kept long enough.
    static func oldest(of user: UserID) -> Scan<Self> { Scan(.user(user), limit: 2) }

    /// What their person lets in, the last to end first; also what is over, and what is no grant.
    static func grants(of user: UserID) -> Scan<Self> {
        Scan(by: "accesses_granted", .user(user), descending: true, limit: 8)
    }

    static func untold(of user: UserID, limit: Int) -> Scan<Self> {
        Scan(by: "accesses_untold", .user(user), .int(1), limit: limit)
    }
}
