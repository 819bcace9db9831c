import CloudKitWire
import NephosStorage

/// What a server that signs its own people in has said of one of them, last (table `external_people`). Nobody is found by it, and nobody signs in with
/// it: it is for who runs the app.
struct ExternalPersonRow: Sendable, Equatable {
    var user: UserID
    /// What the other server calls them: ``UserRow/sourceID``.
    var subject: String
    /// May be empty, as ``email`` may.
    var name: String
    /// Nobody has checked it.
    var email: String
    var firstAt: Milliseconds
    /// When they were signed in last.
    var lastAt: Milliseconds
}

extension ExternalPersonRow: StoredRow {
    // Not counted: to sign in writes no row that others write, too.
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

    /// In the order of their subjects. - Parameter subject: nil for all.
    static func called(_ subject: String?, limit: Int) -> Scan<Self> {
        guard let subject else { return Scan(by: "external_people_by_subject", limit: limit) }
        return Scan(by: "external_people_by_subject", .text(subject), limit: limit)
    }
}
