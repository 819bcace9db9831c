/// That a private database was removed, as its person has left (table `left_databases`): so a check that finds none of this number knows that
/// nothing is missing. Says nothing of who it was.
public struct LeftDatabaseRow: Sendable, Equatable {
    /// The number that the database had.
    public var number: DatabaseNumber
    /// When it was removed, in milliseconds since 1970.
    public var leftAt: Milliseconds

    /// Creates a row from its columns.
    public init(number: DatabaseNumber, leftAt: Milliseconds) { (self.number, self.leftAt) = (number, leftAt) }
}

extension LeftDatabaseRow: StoredRow {
    // Not of the database, which is no more.
    public static let table = Table(of: Self.self, "left_databases", .tenant, key: ["number"])
    public static let sample = LeftDatabaseRow(number: 0, leftAt: 0)

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.int("number", &number)
        try columns.int("left_at", &leftAt)
    }
}
