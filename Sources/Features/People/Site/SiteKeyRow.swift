import NephosStorage

/// The key that seals what pages outside of any container give to browsers (table `people_key`, of the installation, one row):
/// created when first needed, and again if it can no longer be decrypted.
struct SiteKeyRow: Sendable, Equatable {
    static let bytes = 32

    var id: Int64 = 1
    var secret: Secret
    var createdAt: Milliseconds
}

extension SiteKeyRow: StoredRow {
    static let table = Table(of: Self.self, "people_key", .installation, key: ["id"])
    static let sample = SiteKeyRow(secret: Secret([]), createdAt: 0)

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.int("id", &id)
        try columns.sealed("secret", &secret)
        try columns.int("created_at", &createdAt)
    }

    static let only = Scan<Self>(.int(1), limit: 1)
}
