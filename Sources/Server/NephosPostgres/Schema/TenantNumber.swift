import NephosStorage

/// The number of a tenant in its PostgreSQL database. None is given out twice, so that what a deleted container left
/// behind never becomes another's.
struct TenantNumber: Sendable, Hashable {
    /// Databases of one tenant: 2⁴⁰, and nearly 2²³ tenants.
    static let databaseBits: Int64 = 40

    /// The last number: what is behind its databases still fits the column `db`.
    static let max: Int64 = 1 << (63 - databaseBits) - 2

    let value: Int64

    /// Of what stands in the directory.
    static let none = TenantNumber(value: 0)

    /// The column `db` of one of its databases.
    ///
    /// - Throws: ``StorageError/failed(_:)`` for a number that no database of a tenant can have.
    func stored(_ database: DatabaseNumber) throws(StorageError) -> Int64 {
        guard database >= 0, database < 1 << Self.databaseBits else {
            throw .failed("\(database) is no number of a database")
        }
        return value << Self.databaseBits | database
    }

    /// What the column `db` says of the database.
    static func database(_ stored: Int64) -> DatabaseNumber { stored & (1 << databaseBits - 1) }

    func database(_ stored: Int64) -> DatabaseNumber { Self.database(stored) }

    /// All that the column `db` can say for this tenant.
    var range: Range<Int64> { value << Self.databaseBits..<(value + 1) << Self.databaseBits }
}
