import CloudKitWire
import NephosStorage

/// What is kept of a ``TrendToken`` (table `trend_tokens`): nothing that lets anybody in.
struct TrendTokenRow: Sendable, Equatable {
    var id: [UInt8]
    /// ``TrendToken/hash``.
    var hash: [UInt8]
    /// What it is for, for people.
    var name: String
    /// It hands figures in and reads none; else it reads, and moves marks of viewers.
    var isImport: Bool
    var createdAt: Milliseconds
    /// 0 while it is good.
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

    /// Tokens of an environment that are good at the same time, and as many that are not and are still listed.
    static let countMax = 100

    static let all = Scan<Self>(limit: 4 * countMax, lock: .update)
    static func keyed(_ id: [UInt8]) -> Scan<Self> { Scan(.bytes(id), limit: 1) }

    /// As people name it.
    var listedID: String { Hexadecimal.text(id) }

    /// By which its last use is noted.
    var use: CredentialKey { CredentialKey(.bearer, Array("\(Trends.name)/".utf8) + id) }
}
