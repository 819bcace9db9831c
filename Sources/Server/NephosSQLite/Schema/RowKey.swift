import NephosStorage

/// How a row of `records` is found: by one integer, made of its database's number and its own in that database.
///
/// SQLite finds an integer with a third to a half less work than two columns, since the pages on the way to a row then hold
/// integers and no rows. With the database in the upper bits all rows of one person still lie together.
enum RowKey {
    /// Numbers of records have so many bits at most, and those of databases 27. The table refuses others.
    private static let numberBits = 36

    /// A database can give this number to its last record.
    static let numberMax: Int64 = 1 << numberBits - 1

    /// The SQL of a key from that of the database and of the record's number.
    static func id(_ database: String, _ number: String) -> String { "(\(database) << \(numberBits) | \(number))" }

    /// The condition of all rows of a database, which lie side by side.
    static func isOf(_ database: DatabaseNumber) -> String {
        "id BETWEEN \(id("\(database)", "0")) AND \(id("\(database)", "\(numberMax)"))"
    }

    /// A condition with two parameters: the database, and the record's number.
    static let isBound = "id = \(id("?", "?"))"
}
