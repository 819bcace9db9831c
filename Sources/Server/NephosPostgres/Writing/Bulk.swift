import NephosStorage

/// SQL that inserts many rows of one database.
enum BulkInsertion {
    /// Parameters: the column `db`, and an array for each of the other columns.
    ///
    /// The database is taken from its head's row, so that a distributed PostgreSQL runs the statement as one task on the node
    /// of the rows; with a plain value it would collect the rows first. Every commit holds that row locked and writes it
    /// under a ``Guard``, so that rows of a database without a head are never lost silently.
    static func sql(_ table: String, _ columns: String, _ types: [MemberType]) -> String {
        "INSERT INTO \(table) (db, \(columns)) SELECT h.db, n.* FROM heads AS h, \(arrays(types)) AS n WHERE h.db = $1"
    }

    /// Arrays of these types as rows, beginning with `$2`.
    static func arrays(_ types: [MemberType]) -> String {
        "unnest(\(types.enumerated().map { "$\($0.offset + 2)::\($0.element)[]" }.joined(separator: ", ")))"
    }
}
