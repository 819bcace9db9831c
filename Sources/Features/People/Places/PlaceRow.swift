import NephosStorage

/// That somebody has signed in to an environment of a container on a page of this server (table `account_places`, of the installation),
/// so that they can be shown where they are known without a look into every container.
struct PlaceRow: Sendable, Equatable {
    /// Id of the account.
    var account: String
    var container: String
    var environment: Environment
    var firstAt: Milliseconds

    var tenant: Tenant { Tenant(container: container, environment: environment) }
}

extension PlaceRow: StoredRow {
    // Not counted: to sign in writes no row that others write, too.
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

    /// By container.
    static func of(_ account: String) -> Scan<Self> { Scan(.text(account), limit: 10_000) }
}
