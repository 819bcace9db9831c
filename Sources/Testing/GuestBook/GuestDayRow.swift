import CloudKitWire
import NephosStorage

/// The signatures added and removed on one day (table `guest_days`), without those still in the annex of the head.
struct GuestDayRow: StoredRow {
    var database: DatabaseNumber
    /// Since 1970, in UTC.
    var day: Int64
    var signed: Int64 = 0
    var removed: Int64 = 0

    static let table = Table(of: Self.self, "guest_days", .database, key: ["db", "day"], isCounted: true)
    static let sample = GuestDayRow(database: 1, day: 0)

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.int("day", &day)
        try columns.int("signed", &signed)
        try columns.int("removed", &removed)
    }

    static func of(_ days: [Int64], in database: DatabaseNumber) -> Scan<Self> {
        Scan(.database(database), among: days.map { [.int($0)] })
    }

    /// The newest days, newest first.
    static func newest(in database: DatabaseNumber, limit: Int) -> Scan<Self> {
        Scan(.database(database), descending: true, limit: limit)
    }
}
