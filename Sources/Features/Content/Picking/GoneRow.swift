import CloudKitWire
import NephosStorage

/// A content record that was deleted, until the records sorted for picking have followed (table `content_gone`). The feed alone
/// is not enough: another record may have its name by then, or its tombstone may have been removed.
struct GoneRow: Sendable, Equatable {
    var database = Content.database
    /// The sequence of the head before the deletion, so that no two transactions write the same row.
    var sequence: Sequence
    var record: RecordNumber
    var name: Name
}

extension GoneRow: StoredRow {
    static let table = Table(of: Self.self, "content_gone", .database, key: ["db", "seq", "record_no"])
    static let sample = GoneRow(sequence: 0, record: 1, name: "")

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.int("seq", &sequence)
        try columns.int("record_no", &record)
        try columns.name("name", &name)
    }

    static func first(_ count: Int) -> Scan<Self> { Scan(.database(Content.database), limit: count) }
}
