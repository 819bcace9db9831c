import NephosStorage

/// A link that was sent to an address (table `mail_links`, of the installation): whoever follows it has the mail of that address.
///
/// It stays until a day has passed, used or not, so that what an address and a network asked for can be counted.
struct MailLinkRow: Sendable, Equatable {
    enum Kind: Int64, Sendable {
        /// Makes an account, or gives one that the operator made its first password.
        case signUp = 1
        /// Gives an account another password.
        case recover = 2
        /// Gives an account another address.
        case changeEmail = 3
    }

    /// Hash of what the link says.
    var id: [UInt8]
    var kind: Kind
    /// In lower case.
    var email: String
    /// That it is about; empty for one that is to be made.
    var account: String
    /// Where its person goes on afterwards: path and query of a page of this server; empty for `/account`.
    var next: String
    /// Whoever asked for it: an address, or the network of one; empty for this machine.
    var network: String
    var createdAt: Milliseconds
    /// 0 until then.
    var usedAt: Milliseconds = 0
}

extension MailLinkRow: StoredRow {
    static let table = Table(
        of: Self.self, "mail_links", .installation, key: ["id"],
        indexes: [
            Table.Index("mail_links_by_email", ["email", "created_at", "id"]),
            Table.Index("mail_links_by_network", ["network", "created_at", "id"]),
            Table.Index("mail_links_by_account", ["account_id", "created_at", "id"]),
            Table.Index("mail_links_by_age", ["created_at", "id"]),
        ], person: "account_id", address: "email")
    static let sample = MailLinkRow(
        id: [], kind: .signUp, email: "", account: "", next: "", network: "", createdAt: 0)

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.bytes("id", &id)
        try columns.kind("kind", &kind)
        try columns.text("email", &email)
        try columns.text("account_id", &account)
        try columns.text("next", &next)
        try columns.text("network", &network)
        try columns.int("created_at", &createdAt)
        try columns.int("used_at", &usedAt)
    }

    static func keyed(_ id: [UInt8]) -> Scan<Self> { Scan(.bytes(id), limit: 1, lock: .update) }

    /// Those that were sent to an address after a time, the newest first.
    static func to(_ email: String, after time: Milliseconds, limit: Int) -> Scan<Self> {
        Scan(by: "mail_links_by_email", .text(email), above: [.int(time)], descending: true, limit: limit)
    }

    static func from(_ network: String, after time: Milliseconds, limit: Int) -> Scan<Self> {
        Scan(by: "mail_links_by_network", .text(network), above: [.int(time)], descending: true, limit: limit)
    }

    /// All about an account: those of a day, of which its address and those who ask get few.
    static func about(_ account: String) -> Scan<Self> {
        Scan(by: "mail_links_by_account", .text(account), limit: 1_000, lock: .update)
    }

    static func old(before time: Milliseconds, limit: Int) -> Scan<Self> {
        Scan(by: "mail_links_by_age", below: [.int(time)], limit: limit)
    }
}

extension WriteSet {
    /// Whoever has one of these links has it for nothing from now on.
    mutating func spend(_ links: [MailLinkRow], at now: Milliseconds) {
        for link in links where link.usedAt == 0 {
            var spent = link
            spent.usedAt = max(now, 1)
            put(spent, replacing: link)
        }
    }
}
