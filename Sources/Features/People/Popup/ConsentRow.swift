import CloudKitWire
import NephosStorage

/// A person's consent that an app at an origin may act as them (table `sign_in_consents`), so that they are asked once.
struct ConsentRow: Sendable, Equatable {
    var user: UserID
    /// Hash of the API token.
    var token: [UInt8]
    /// ``SignInDestination/text``.
    var origin: String
    var givenAt: Milliseconds
}

extension ConsentRow: StoredRow {
    // Not counted, so that signing in writes no row shared with others.
    static let table = Table(
        of: Self.self, "sign_in_consents", .tenant, key: ["user_id", "token", "origin"], person: "user_id")
    static let sample = ConsentRow(user: UserID(high: 0, low: 1), token: [], origin: "", givenAt: 0)

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.user("user_id", &user)
        try columns.bytes("token", &token)
        try columns.text("origin", &origin)
        try columns.int("given_at", &givenAt)
    }

    /// All of a person.
    static func of(_ user: UserID, limit: Int) -> Scan<Self> { Scan(.user(user), limit: limit) }

    static func of(_ user: UserID, _ token: [UInt8], _ origin: String) -> Scan<Self> {
        Scan(.user(user), .bytes(token), .text(origin), limit: 1, lock: .update)
    }
}
