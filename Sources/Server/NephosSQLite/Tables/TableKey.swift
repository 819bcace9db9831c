import NephosStorage

/// In which order the rows of a table lie, and how those behind one of them are found.
struct TableKey {
    /// What rows are ordered by.
    let order: String
    /// The same from the last row on.
    let descending: String
    /// True for rows behind a key, which has a parameter for each of its columns.
    let isAfter: String

    init(_ table: StoredTable) {
        let columns = table.key.map(\.name)
        guard table.name == "records" else {
            order = columns.joined(separator: ", ")
            descending = columns.map { "\($0) DESC" }.joined(separator: ", ")
            isAfter = TableSQL.bound(columns, ">")
            return
        }
        // By their integer they come in the order of both columns, and need not be sorted (docs/decisions/0011).
        order = "id"
        descending = "id DESC"
        isAfter = "id > \(RowKey.id("?", "?"))"
    }
}
