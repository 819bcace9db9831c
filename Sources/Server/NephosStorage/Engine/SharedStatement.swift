/// A statement in the syntax that SQLite and PostgreSQL share, for work that every engine does in the same way.
///
/// Its parameters are `$1`, `$2` and so on. In a file, the tenant has the number 0, so that `db >> 40 = $1` is true for
/// each row. Two clauses that only one of the databases supports are allowed, and are removed for the other: `INDEXED
/// BY`, which SQLite needs because it has no statistics, and `FOR UPDATE SKIP LOCKED`, which SQLite does not need
/// because a file has one writer at a time.
package struct SharedStatement: Sendable {
    package let sql: String
    package let sqlOfFiles: String

    init(_ sql: String) {
        self.sql = sql.replacing(#/ INDEXED BY \w+/#, with: "")
        sqlOfFiles = sql.replacing("$", with: "?").replacing(" FOR UPDATE SKIP LOCKED", with: "")
    }

    func callAsFunction(_ values: ColumnValue...) -> SharedCall { SharedCall(statement: self, values: values) }
}

/// A shared statement with its values.
package struct SharedCall: Sendable {
    package let statement: SharedStatement
    package let values: [ColumnValue]
}

/// Runs shared statements.
package protocol CallRunner {
    /// Runs the calls one after the other, in one round trip if the engine uses a database server, and passes the rows
    /// of each call to `row`.
    ///
    /// - Parameter row: Receives the index of the call, and a row that is valid until the closure returns.
    func run(
        _ calls: [SharedCall], _ row: (Int, any AnswerRow) throws(StorageError) -> Void
    ) throws(StorageError)
}

extension CallRunner {
    func run(_ calls: [SharedCall]) throws(StorageError) { try run(calls) { _, _ in } }
}
