import NephosStorage

/// The key of a row of `records`: one integer, composed of its database's number and its own number in that database.
///
/// SQLite finds an integer with a third to a half less work than two columns, since the pages on the way to a row then
/// contain integers and no rows. With the database in the upper bits, all rows of one person are still stored together.
enum RowKey {
    /// Maximum number of bits of record numbers; those of databases have 27. The table refuses larger ones.
    private static let numberBits = 36

    /// The highest number of a record in a database.
    static let numberMax: Int64 = 1 << numberBits - 1

    /// The SQL of a key, from the SQL of the database and of the record's number.
    static func id(_ database: String, _ number: String) -> String { "(\(database) << \(numberBits) | \(number))" }

    /// The condition for all rows of a database, which are stored consecutively.
    static func isOf(_ database: DatabaseNumber) -> String {
        "id BETWEEN \(id("\(database)", "0")) AND \(id("\(database)", "\(numberMax)"))"
    }

    /// The SQL of the record's number in a key.
    static let number = "(id & \(numberMax))"

    /// A condition with two parameters: the database, and the record's number.
    static let isBound = "id = \(id("?", "?"))"
}
