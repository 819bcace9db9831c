import NephosStorage

/// That something which is good once was used (table `spent`, of the installation): see ``Once``.
struct SpentRow: Sendable, Equatable {
    /// ``Once/hash``.
    var hash: [UInt8]
    /// Nobody would take it from then on, used or not.
    var until: Milliseconds
}

extension SpentRow: StoredRow {
    // Not counted: who signs in writes no row that others write, too. Not guarded: a row that was damaged is forgotten as any other.
    static let table = Table(
        of: Self.self, "spent", .installation, key: ["hash"], indexes: [Table.Index("spent_by_until", ["until"])],
        isGuarded: false)
    static let sample = SpentRow(hash: [], until: 0)

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.bytes("hash", &hash)
        try columns.int("until", &until)
    }

    static func of(_ hash: [UInt8]) -> Scan<Self> { Scan(.bytes(hash), limit: 1) }

    static func over(before time: Milliseconds, limit: Int) -> Scan<Self> {
        Scan(by: "spent_by_until", below: [.int(time)], limit: limit)
    }
}
