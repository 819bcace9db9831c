import NephosStorage

extension Statement {
    /// Adds a row. Parameters: a value for each column.
    static func insertion(into table: String, _ columns: [String]) -> Statement {
        let values = (1...columns.count).map { "$\($0)" }.joined(separator: ",")
        return Statement("INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(values))")
    }

    /// Changes one row, which must exist. Parameters: a value for each column, then for each column of its key.
    static func change(of table: String, _ columns: [String], key: [String]) -> Statement {
        let parts = (columns + key).enumerated().map { "\($1) = $\($0 + 1)" }
        let changes = parts.prefix(columns.count).joined(separator: ", ")
        let conditions = parts.dropFirst(columns.count).joined(separator: " AND ")
        return Statement(Guard.touching(one: "UPDATE \(table) SET \(changes) WHERE \(conditions) RETURNING 1"))
    }
}
