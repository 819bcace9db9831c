import NephosStorage

/// A session on the pages of this server in one browser (table `browser_sessions`, of the installation). Apps have no access to
/// it.
struct BrowserSessionRow: Sendable, Equatable {
    /// Hash of the cookie's value.
    var id: [UInt8]
    var account: String
    /// Whether the person asked to stay signed in.
    var isKept: Bool
    var createdAt: Milliseconds
    /// When it was last extended.
    var usedAt: Milliseconds
    var expiresAt: Milliseconds
    /// The network of the last extension; empty for this machine.
    var network: String
    /// The browser's `User-Agent`, truncated.
    var agent: String
}

extension BrowserSessionRow: StoredRow {
    // Not counted, so that signing in writes no row shared with others.
    static let table = Table(
        of: Self.self, "browser_sessions", .installation, key: ["id"],
        indexes: [
            Table.Index("browser_sessions_by_account", ["account_id", "created_at", "id"]),
            Table.Index("browser_sessions_by_end", ["expires_at", "id"]),
        ], person: "account_id")
    static let sample = BrowserSessionRow(
        id: [], account: "", isKept: false, createdAt: 0, usedAt: 0, expiresAt: 0, network: "", agent: "")

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.bytes("id", &id)
        try columns.text("account_id", &account)
        try columns.flag("kept", &isKept)
        try columns.int("created_at", &createdAt)
        try columns.int("used_at", &usedAt)
        try columns.int("expires_at", &expiresAt)
        try columns.text("network", &network)
        try columns.text("agent", &agent)
    }

    static func keyed(_ id: [UInt8]) -> Scan<Self> { Scan(.bytes(id), limit: 1) }

    /// Newest first.
    static func of(_ account: String, limit: Int) -> Scan<Self> {
        Scan(by: "browser_sessions_by_account", .text(account), descending: true, limit: limit)
    }

    static func expired(before time: Milliseconds, limit: Int) -> Scan<Self> {
        Scan(by: "browser_sessions_by_end", below: [.int(time)], limit: limit)
    }
}
