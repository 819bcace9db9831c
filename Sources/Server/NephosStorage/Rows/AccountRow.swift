/// A person, across all containers (table `accounts`).
public struct AccountRow: Sendable, Equatable {
    /// Upper-case UUID.
    public var id: String
    /// Lower case; unique.
    public var email: String
    /// The given name of the person.
    public var givenName: String
    /// The family name of the person.
    public var familyName: String
    /// When it was created, in milliseconds since 1970.
    public var createdAt: Milliseconds

    /// Creates a row from its columns.
    public init(id: String, email: String, givenName: String, familyName: String, createdAt: Milliseconds) {
        self.id = id
        self.email = email
        self.givenName = givenName
        self.familyName = familyName
        self.createdAt = createdAt
    }
}

extension AccountRow: StoredRow {
    public static let table = Table(
        of: Self.self, "accounts", .installation, key: ["id"],
        indexes: [Table.Index("accounts_by_email", ["email"], isUnique: true, isNamedInFiles: false)], isCounted: true,
        checksum: .frozen(["id", "email", "given_name", "family_name", "created_at"]))
    public static let sample = AccountRow(id: "", email: "", givenName: "", familyName: "", createdAt: 0)

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.text("id", &id)
        try columns.text("email", &email)
        try columns.text("given_name", &givenName)
        try columns.text("family_name", &familyName)
        try columns.int("created_at", &createdAt)
    }

    // MARK: Scans

    /// The account with this ID, if there is one.
    public static func keyed(_ id: String) -> Scan<Self> { Scan(.text(id), limit: 1) }

    /// The account with this email, in lower case, if there is one.
    public static func withEmail(_ email: String) -> Scan<Self> {
        Scan(by: "accounts_by_email", .text(email), limit: 1)
    }

    /// Accounts whose email is after this one, by email.
    public static func after(_ email: String, limit: Int) -> Scan<Self> {
        Scan(by: "accounts_by_email", above: [.text(email)], limit: limit)
    }
}
