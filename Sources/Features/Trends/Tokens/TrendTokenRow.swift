import CloudKitWire
import NephosStorage

/// What is stored of a ``TrendToken`` (table `trend_tokens`): nothing that grants access.
struct TrendTokenRow: Sendable, Equatable {
    var id: [UInt8]
    /// ``TrendToken/hash``.
    var hash: [UInt8]
    /// A description, for people.
    var name: String
    /// It imports figures and reads none; otherwise it reads, and moves marks of viewers.
    var isImport: Bool
    var createdAt: Milliseconds
    /// 0 if it is not revoked.
    var revokedAt: Milliseconds = 0
}

extension TrendTokenRow: StoredRow {
    static let table = Table(of: Self.self, "trend_tokens", .tenant, key: ["id"], isCounted: true)
    static let sample = TrendTokenRow(id: [], hash: [], name: "", isImport: false, createdAt: 0)

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.bytes("id", &id)
        try columns.bytes("hash", &hash)
        try columns.text("name", &name)
        try columns.flag("is_import", &isImport)
        try columns.int("created_at", &createdAt)
        try columns.int("revoked_at", &revokedAt)
    }

    /// Valid tokens per environment, and as many revoked ones that are still listed.
    static let countMax = 100

    static let all = Scan<Self>(limit: 4 * countMax, lock: .update)
    static func keyed(_ id: [UInt8]) -> Scan<Self> { Scan(.bytes(id), limit: 1) }

    /// The ID as shown to people.
    var listedID: String { Hexadecimal.text(id) }

    /// The key under which its last use is recorded.
    var use: CredentialKey { CredentialKey(.bearer, Array("\(Trends.name)/".utf8) + id) }
}
