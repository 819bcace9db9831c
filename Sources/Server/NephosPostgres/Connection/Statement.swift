import NephosStorage

extension Statement {
    /// The name of the prepared statement in PostgreSQL.
    var name: String { "s\(number)" }

    /// A transaction that writes. Each of its statements sees what was committed before it began.
    static let begin = Statement("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE", isPlain: true)
    /// One snapshot for all statements that follow.
    static let beginReading = Statement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", isPlain: true)
    static let commit = Statement("COMMIT", isPlain: true)
    /// Has statements planned again when they are next used.
    static let discardPlans = Statement("DISCARD PLANS", isPlain: true)
    static let rollback = Statement("ROLLBACK", isPlain: true)
}

/// A statement with its values, ready to be sent.
struct Call {
    let statement: Statement
    var values: Values

    /// - Parameter values: The values of its parameters, `$1` first.
    @inline(__always)
    init<each Value: Parameter>(_ statement: Statement, _ values: repeat each Value) {
        self.statement = statement
        self.values = Values()
        repeat (each values).add(to: &self.values)
    }
}
