import NephosStorage

/// An environment of a container to which a person has signed in on a page of this server (table `account_places`, of the
/// installation). It shows where an account is known without searching every container.
struct PlaceRow: Sendable, Equatable {
    /// ID of the account.
    var account: String
    var container: String
    var environment: Environment
    var firstAt: Milliseconds

    var tenant: Tenant { Tenant(container: container, environment: environment) }
}

extension PlaceRow: StoredRow {
    // Not counted, so that signing in writes no row shared with others.
    static let table = Table(
        of: Self.self, "account_places", .installation, key: ["account_id", "container", "environment"],
        person: "account_id")
    static let sample = PlaceRow(account: "", container: "", environment: .development, firstAt: 0)

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.text("account_id", &account)
        try columns.text("container", &container)
        var text = environment.rawValue
        try columns.text("environment", &text)
        guard let read = Environment(rawValue: text) else { throw .corrupt("account_places.environment") }
        environment = read
        try columns.int("first_at", &firstAt)
    }

    static func keyed(_ account: String, _ tenant: Tenant) -> Scan<Self> {
        Scan(.text(account), .text(tenant.container), .text(tenant.environment.rawValue), limit: 1)
    }

    /// Ordered by container.
    static func of(_ account: String) -> Scan<Self> { Scan(.text(account), limit: 10_000) }
}
