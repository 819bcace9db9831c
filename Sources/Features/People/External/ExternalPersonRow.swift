import CloudKitWire
import NephosStorage

/// The last statement of a server with its own login about one of its people (table `external_people`). It is for operators only:
/// it is not used for lookups or for signing in.
struct ExternalPersonRow: Sendable, Equatable {
    var user: UserID
    /// The identifier on the other server: ``UserRow/sourceID``.
    var subject: String
    /// May be empty, as ``email`` may.
    var name: String
    /// ``EmailAddress/text``. Not verified.
    var email: String
    var firstAt: Milliseconds
    /// The last sign-in.
    var lastAt: Milliseconds
}

extension ExternalPersonRow: StoredRow {
    // Not counted, so that signing in writes no row shared with others.
    static let table = Table(
        of: Self.self, "external_people", .tenant, key: ["user_id"],
        indexes: [Table.Index("external_people_by_subject", ["subject"])], person: "user_id")
    static let sample = ExternalPersonRow(
        user: UserID(high: 0, low: 1), subject: "", name: "", email: "", firstAt: 0, lastAt: 0)

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.user("user_id", &user)
        try columns.text("subject", &subject)
        try columns.text("name", &name)
        try columns.text("email", &email)
        try columns.int("first_at", &firstAt)
        try columns.int("last_at", &lastAt)
    }

    static func of(_ user: UserID) -> Scan<Self> { Scan(.user(user), limit: 1, lock: .update) }

    /// Ordered by subject. - Parameter subject: nil for all.
    static func called(_ subject: String?, limit: Int) -> Scan<Self> {
        guard let subject else { return Scan(by: "external_people_by_subject", limit: limit) }
        return Scan(by: "external_people_by_subject", .text(subject), limit: limit)
    }
}
