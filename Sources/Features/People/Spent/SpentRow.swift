import NephosStorage

/// Something that can be used once and was used (table `spent`, of the installation): see ``OneTimeValue``.
struct SpentRow: Sendable, Equatable {
    /// ``OneTimeValue/hash``.
    var hash: [UInt8]
    /// When it expires; it is not accepted from then on, used or not.
    var until: Milliseconds
}

extension SpentRow: StoredRow {
    // Not counted, so that signing in writes no row shared with others. Not guarded: a damaged row is removed like any other.
    static let table = Table(
        of: Self.self, "spent", .installation, key: ["hash"], indexes: [Table.Index("spent_by_until", ["until"])],
        isGuarded: false)
    static let sample = SpentRow(hash: [], until: 0)

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.bytes("hash", &hash)
        try columns.int("until", &until)
    }

    static func of(_ hash: [UInt8]) -> Scan<Self> { Scan(.bytes(hash), limit: 1) }

    static func expired(before time: Milliseconds, limit: Int) -> Scan<Self> {
        Scan(by: "spent_by_until", below: [.int(time)], limit: limit)
    }
}
