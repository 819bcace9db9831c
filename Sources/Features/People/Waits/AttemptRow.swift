import NephosStorage

/// Counts failed attempts to prove an identity (table `sign_in_attempts`, of the installation): shared by all servers, and kept
/// across restarts.
struct AttemptRow: Sendable, Equatable {
    /// Hash of what is counted: an account, a network, or a browser known to an account.
    var id: [UInt8]
    var count: Int64
    var lastAt: Milliseconds
    /// The time before which further attempts are refused; 0 for none.
    var until: Milliseconds
}

extension AttemptRow: StoredRow {
    // Not counted, so that signing in writes no row shared with others.
    static let table = Table(
        of: Self.self, "sign_in_attempts", .installation, key: ["id"],
        indexes: [Table.Index("sign_in_attempts_by_time", ["last_at", "id"])])
    static let sample = AttemptRow(id: [], count: 0, lastAt: 0, until: 0)

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.bytes("id", &id)
        try columns.int("count", &count)
        try columns.int("last_at", &lastAt)
        try columns.int("until", &until)
    }

    static func keyed(_ ids: [[UInt8]]) -> Scan<Self> { Scan(among: ids.map { [.bytes($0)] }, lock: .update) }

    static func old(before time: Milliseconds, limit: Int) -> Scan<Self> {
        Scan(by: "sign_in_attempts_by_time", below: [.int(time)], limit: limit)
    }
}
