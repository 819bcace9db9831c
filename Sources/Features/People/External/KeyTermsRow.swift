import NephosRunner
import NephosStorage

/// Extra permissions of a server-to-server key (table `key_terms`). A key without a row has none.
struct KeyTermsRow: Sendable, Equatable {
    /// ID of the key.
    var key: String
    /// Whether it signs in people known to its own server.
    var signsIn = false
    /// When the terms were set. Terms older than the key do not apply: the key was revoked and registered again.
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
