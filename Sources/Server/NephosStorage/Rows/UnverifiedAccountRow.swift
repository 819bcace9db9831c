/// An account that was created without verifying its address, which may be anybody's (table `unverified_accounts`, of the
/// installation). So nobody is recognized by that address. The row is removed when somebody follows a link sent to it.
public struct UnverifiedAccountRow: Sendable, Equatable {
    /// ID of the account.
    public var account: String
    /// When the account was created, in milliseconds since 1970.
    public var createdAt: Milliseconds

    /// Creates a row from its columns.
    public init(account: String, createdAt: Milliseconds) { (self.account, self.createdAt) = (account, createdAt) }
}

extension UnverifiedAccountRow: StoredRow {
    public static let table = Table(
        of: Self.self, "unverified_accounts", .installation, key: ["account_id"], person: "account_id")
    public static let sample = UnverifiedAccountRow(account: "", createdAt: 0)

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.text("account_id", &account)
        try columns.int("made_at", &createdAt)
    }

    /// That of one account, if its address was not verified.
    public static func of(_ account: String) -> Scan<Self> { Scan(.text(account), limit: 1) }
}
