import CloudKitWire
import NephosStorage

/// The number of signatures of one user (table `guests`).
struct GuestRow: StoredRow {
    var database: DatabaseNumber
    var user: UserID
    var signatures: Int64 = 0

    static let table = Table(
        of: Self.self, "guests", .database, key: ["db", "user_id"],
        indexes: [Table.Index("guests_by_user", ["user_id"])], isCounted: true, person: "user_id")
    static let sample = GuestRow(database: 1, user: UserID(high: 0, low: 1))

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.user("user_id", &user)
        try columns.int("signatures", &signatures)
    }

    static func of(_ users: Set<UserID>, in database: DatabaseNumber) -> Scan<Self> {
        Scan(
            .database(database),
            among: users.sorted { ($0.high, $0.low) < ($1.high, $1.low) }.map { [.user($0)] })
    }
}
