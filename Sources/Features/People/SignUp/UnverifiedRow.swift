import NephosStorage

/// That an account was made without a mail to its address, which may be anybody's (table `unverified_accounts`, of the installation). It goes once
/// somebody has followed a link that was sent there.
struct UnverifiedRow: Sendable, Equatable {
    /// Id of the account.
    var account: String
    var madeAt: Milliseconds
}

extension UnverifiedRow: StoredRow {
    static let table = Table(
        of: Self.self, "unverified_accounts", .installation, key: ["account_id"], person: "account_id")
    static let sample = UnverifiedRow(account: "", madeAt: 0)

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.text("account_id", &account)
        try columns.int("made_at", &madeAt)
    }

    static func of(_ account: String) -> Scan<Self> { Scan(.text(account), limit: 1) }
}
