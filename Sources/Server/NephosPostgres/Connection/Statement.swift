import Synchronization

/// The text of a statement, prepared once on each connection that uses it. Declare one as a constant: its number is
/// what connections know it by.
struct Statement: Sendable {
    let sql: String
    let number: Int
    /// Words without parameters that are sent as they are: preparing `BEGIN` saves nothing.
    let isPlain: Bool

    private static let count = Atomic<Int>(0)

    init(_ sql: String) { self.init(sql, isPlain: false) }

    private init(_ sql: String, isPlain: Bool) {
        self.sql = sql
        self.isPlain = isPlain
        number = Self.count.add(1, ordering: .relaxed).newValue
    }

    /// The name that PostgreSQL keeps it under.
    var name: String { "s\(number)" }

    /// A transaction that writes. Each of its statements sees what was committed before it began.
    static let begin = Statement("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE", isPlain: true)
    /// One snapshot for all statements that follow.
    static let beginReading = Statement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", isPlain: true)
    static let commit = Statement("COMMIT", isPlain: true)
    /// Has statements planned anew when they are next used.
    static let discardPlans = Statement("DISCARD PLANS", isPlain: true)
    static let rollback = Statement("ROLLBACK", isPlain: true)
}

/// A statement with its values, ready to be sent.
struct Call {
    let statement: Statement
    var values: Values

    init(_ statement: Statement, _ fill: (inout Values) -> Void = { _ in }) {
        self.statement = statement
        values = Values()
        fill(&values)
    }
}
