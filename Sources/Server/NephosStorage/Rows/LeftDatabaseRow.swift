/// A private database that was removed because its person left (table `left_databases`), so that a check that does not find
/// this number knows that nothing is missing. It does not identify the person.
public struct LeftDatabaseRow: Sendable, Equatable {
    /// The number that the database had.
    public var number: DatabaseNumber
    /// When it was removed, in milliseconds since 1970.
    public var leftAt: Milliseconds

    /// Creates a row from its columns.
    public init(number: DatabaseNumber, leftAt: Milliseconds) { (self.number, self.leftAt) = (number, leftAt) }
}

extension LeftDatabaseRow: StoredRow {
    // Not a table of databases: the database no longer exists.
    public static let table = Table(of: Self.self, "left_databases", .tenant, key: ["number"])
    public static let sample = LeftDatabaseRow(number: 0, leftAt: 0)

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.int("number", &number)
        try columns.int("left_at", &leftAt)
    }
}
