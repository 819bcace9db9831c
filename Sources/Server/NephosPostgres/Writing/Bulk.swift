import NephosStorage

/// SQL that inserts many rows of one database.
enum BulkInsertion {
    /// Parameters: the column `db`, and an array for each of the other columns.
    ///
    /// The database is named by its head's row, which a distributed PostgreSQL takes for one task where the rows go; with a
    /// bare value it would gather them first. Every commit holds that row locked and writes it under a ``Guard``, so that
    /// rows of a database without a head are never lost in silence.
    static func sql(_ table: String, _ columns: String, _ types: [MemberType]) -> String {
        "INSERT INTO \(table) (db, \(columns)) SELECT h.db, n.* FROM heads AS h, \(arrays(types)) AS n WHERE h.db = $1"
    }

    /// Arrays of these types as rows, `$2` the first.
    static func arrays(_ types: [MemberType]) -> String {
        "unnest(\(types.enumerated().map { "$\($0.offset + 2)::\($0.element)[]" }.joined(separator: ", ")))"
    }
}
