import NephosStorage

/// The number of a tenant in its PostgreSQL database. Never assigned twice, so that rows that a deleted container left never
/// become another's.
struct TenantNumber: Sendable, Hashable {
    /// The number of bits for the databases of one tenant: 2⁴⁰ databases, and nearly 2²³ tenants.
    static let databaseBits: Int64 = 40

    /// The last number: the value after its databases still fits in the column `db`.
    static let max: Int64 = 1 << (63 - databaseBits) - 2

    let value: Int64

    /// The number for rows of the directory.
    static let none = TenantNumber(value: 0)

    /// The value of the column `db` for one of its databases.
    ///
    /// - Throws: ``StorageError/failed(_:)`` for a number that is not a valid database number.
    func stored(_ database: DatabaseNumber) throws(StorageError) -> Int64 {
        guard database >= 0, database < 1 << Self.databaseBits else {
            throw .failed("\(database) is not the number of a database")
        }
        return value << Self.databaseBits | database
    }

    /// The number of the database in the column `db`.
    static func database(_ stored: Int64) -> DatabaseNumber { stored & (1 << databaseBits - 1) }

    func database(_ stored: Int64) -> DatabaseNumber { Self.database(stored) }

    /// All values of the column `db` for this tenant.
    var range: Range<Int64> { value << Self.databaseBits..<(value + 1) << Self.databaseBits }
}
