/// An account that is being deleted (table `account_deletions`, of the installation). While the row exists, nobody can sign
/// in with the account, or take its address. It is removed with the account, or alone if the person changes their mind.
public struct AccountDeletionRow: Sendable, Equatable {
    /// Id of the account.
    public var account: String
    /// When the person requested it, in milliseconds since 1970.
    public var askedAt: Milliseconds
    /// After this time the deletion cannot be canceled.
    public var dueAt: Milliseconds
    /// Whether what the person created in public databases is removed, too.
    public var takesPublic: Bool
    /// When all sessions of apps had been ended, or the removal of the data began; 0 if that is still to be done, or must be
    /// repeated because a new session was created in the meantime.
    public var endedAt: Milliseconds = 0
    /// When the first of the person's data was removed; 0 while all of it exists.
    public var begunAt: Milliseconds = 0

    /// Creates a row; nothing of the account is removed yet.
    public init(account: String, askedAt: Milliseconds, dueAt: Milliseconds, takesPublic: Bool) {
        (self.account, self.askedAt, self.dueAt) = (account, askedAt, dueAt)
        self.takesPublic = takesPublic
    }
}

extension AccountDeletionRow: StoredRow {
    // No person column: the row records that there is still data of the person, and is removed last.
    public static let table = Table(
        of: Self.self, "account_deletions", .installation, key: ["account_id"],
        indexes: [Table.Index("account_deletions_by_time", ["due_at", "account_id"])], isCounted: true)
    public static let sample = AccountDeletionRow(account: "", askedAt: 0, dueAt: 0, takesPublic: false)

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.text("account_id", &account)
        try columns.int("asked_at", &askedAt)
        try columns.int("due_at", &dueAt)
        try columns.flag("takes_public", &takesPublic)
        try columns.int("ended_at", &endedAt)
        try columns.int("begun_at", &begunAt)
    }

    // MARK: Scans

    /// That of one account, if it is being deleted. A commit keeps others from changing it.
    public static func keyed(_ account: String) -> Scan<Self> { Scan(.text(account), limit: 1, lock: .update) }

    /// The rows of several accounts.
    public static func keyed(_ accounts: [String]) -> Scan<Self> { Scan(among: accounts.map { [.text($0)] }) }

    /// The rows in the order in which they are due.
    public static func next(limit: Int) -> Scan<Self> { Scan(by: "account_deletions_by_time", limit: limit) }
}
