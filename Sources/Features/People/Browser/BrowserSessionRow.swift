import NephosStorage

/// That somebody is signed in to the pages of this server in one browser (table `browser_sessions`, of the installation). No app gets
/// anything of it.
struct BrowserSessionRow: Sendable, Equatable {
    /// Hash of what the browser's cookie says.
    var id: [UInt8]
    var account: String
    /// Whether the person asked to stay signed in.
    var isKept: Bool
    var createdAt: Milliseconds
    /// When it was last extended.
    var usedAt: Milliseconds
    var expiresAt: Milliseconds
    /// Where it was last extended from; empty for this machine.
    var network: String
    /// What the browser says it is, cut off.
    var agent: String
}

extension BrowserSessionRow: StoredRow {
    // Not counted: to sign in writes no row that others write, too.
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

    /// The newest first.
    static func of(_ account: String, limit: Int) -> Scan<Self> {
        Scan(by: "browser_sessions_by_account", .text(account), descending: true, limit: limit)
    }

    static func expired(before time: Milliseconds, limit: Int) -> Scan<Self> {
        Scan(by: "browser_sessions_by_end", below: [.int(time)], limit: limit)
    }
}
