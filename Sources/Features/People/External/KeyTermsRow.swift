import NephosRunner
import NephosStorage

/// What a server-to-server key may do beside what every key may (table `key_terms`). One without a row may nothing of it.
struct KeyTermsRow: Sendable, Equatable {
    /// Id of the key.
    var key: String
    /// Whether it signs in people whom its own server knows.
    var signsIn = false
    /// Of a key that was taken back and is registered anew what was said before says nothing.
    var setAt: Milliseconds = 0
}

extension KeyTermsRow: StoredRow {
    static let table = Table(of: Self.self, "key_terms", .tenant, key: ["key_id"], isCounted: true)
    static let sample = KeyTermsRow(key: "")

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.text("key_id", &key)
        try columns.flag("signs_in", &signsIn)
        try columns.int("set_at", &setAt)
    }

    static func of(_ key: String) -> Scan<Self> { Scan(.text(key), limit: 1) }
}
