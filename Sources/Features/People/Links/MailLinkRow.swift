import NephosStorage

/// A link that was sent to an address (table `mail_links`, of the installation): following it proves access to the mail of that
/// address.
///
/// It is kept for a day, used or not, so that requests by address and by network can be counted.
struct MailLinkRow: Sendable, Equatable {
    enum Kind: Int64, Sendable {
        /// Creates an account, or sets the first password of one that the operator created.
        case signUp = 1
        /// Sets another password.
        case recover = 2
        /// Sets another address.
        case changeEmail = 3
    }

    /// Hash of the link's secret.
    var id: [UInt8]
    var kind: Kind
    /// ``EmailAddress/text``.
    var email: String
    /// The account that it is about; empty for one that is to be created.
    var account: String
    /// Where the person continues afterwards: path and query of a page of this server; empty for `/account`.
    var next: String
    /// The network of the requester, and the site that it is in (`ClientNetwork`); empty if there is none.
    var network, site: String
    var createdAt: Milliseconds
    /// 0 if it was not used.
    var usedAt: Milliseconds = 0
}

extension MailLinkRow: StoredRow {
    static let table = Table(
        of: Self.self, "mail_links", .installation, key: ["id"],
        indexes: [
            Table.Index("mail_links_by_email", ["email", "created_at", "id"]),
            Table.Index("mail_links_by_network", ["network", "created_at", "id"]),
            Table.Index("mail_links_by_site", ["site", "created_at", "id"]),
            Table.Index("mail_links_by_account", ["account_id", "created_at", "id"]),
            Table.Index("mail_links_by_age", ["created_at", "id"]),
        ], person: "account_id", address: "email")
    static let sample = MailLinkRow(
        id: [], kind: .signUp, email: "", account: "", next: "", network: "", site: "", createdAt: 0)

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.bytes("id", &id)
        try columns.kind("kind", &kind)
        try columns.text("email", &email)
        try columns.text("account_id", &account)
        try columns.text("next", &next)
        try columns.text("network", &network)
        try columns.text("site", &site)
        try columns.int("created_at", &createdAt)
        try columns.int("used_at", &usedAt)
    }

    static func keyed(_ id: [UInt8]) -> Scan<Self> { Scan(.bytes(id), limit: 1, lock: .update) }

    /// Those sent to an address after a time, newest first.
    static func to(_ email: String, after time: Milliseconds, limit: Int) -> Scan<Self> {
        Scan(by: "mail_links_by_email", .text(email), above: [.int(time)], descending: true, limit: limit)
    }

    static func from(_ network: String, after time: Milliseconds, limit: Int) -> Scan<Self> {
        Scan(by: "mail_links_by_network", .text(network), above: [.int(time)], descending: true, limit: limit)
    }

    static func from(site: String, after time: Milliseconds, limit: Int) -> Scan<Self> {
        Scan(by: "mail_links_by_site", .text(site), above: [.int(time)], descending: true, limit: limit)
    }

    /// All about an account: those of one day, which are few because addresses and requesters are limited.
    static func about(_ account: String) -> Scan<Self> {
        Scan(by: "mail_links_by_account", .text(account), limit: 1_000, lock: .update)
    }

    static func old(before time: Milliseconds, limit: Int) -> Scan<Self> {
        Scan(by: "mail_links_by_age", below: [.int(time)], limit: limit)
    }
}

extension WriteSet {
    /// Makes links void that have not been used.
    mutating func spend(_ links: [MailLinkRow], at now: Milliseconds) {
        for link in links where link.usedAt == 0 {
            var spent = link
            spent.usedAt = max(now, 1)
            put(spent, replacing: link)
        }
    }
}
