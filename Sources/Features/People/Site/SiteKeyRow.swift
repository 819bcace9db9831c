import NephosStorage

/// The key that seals what pages of no container hand to browsers (table `people_key`, of the installation, one row): made when
/// it is first needed, and anew where it cannot be opened any more.
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
