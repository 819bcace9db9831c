import NephosStorage

/// An account that was created without verifying its address, which may be anybody's (table `unverified_accounts`, of the
/// installation). The row is removed when somebody follows a link sent to that address.
struct UnverifiedRow: Sendable, Equatable {
    /// ID of the account.
    var account: String
    var createdAt: Milliseconds
}

extension UnverifiedRow: StoredRow {
    static let table = Table(
        of: Self.self, "unverified_accounts", .installation, key: ["account_id"], person: "account_id")
    static let sample = UnverifiedRow(account: "", createdAt: 0)

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.text("account_id", &account)
        try columns.int("made_at", &createdAt)
    }

    static func of(_ account: String) -> Scan<Self> { Scan(.text(account), limit: 1) }
}
