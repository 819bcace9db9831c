import NephosStorage

/// Statements that fail, and their transaction with them, when they do not touch just the rows they should.
///
/// What a decision writes rests on what it read behind the head's lock, so that this never happens; but if it does, it
/// must not be committed, and COMMIT travels with the statement. So the statement itself divides by zero.
enum Guard {
    /// What PostgreSQL says then.
    static let state = "22012"

    /// - Parameter writing: A statement with `RETURNING 1` at its end; it must touch one row.
    static func touching(one writing: String) -> String { touching("1", writing) }

    /// - Parameter count: How many rows it must touch: a parameter of type `bigint`.
    static func touching(_ count: String, _ writing: String) -> String {
        """
        WITH touched AS (\(writing))
        SELECT 1::bigint / (CASE WHEN count(*) = \(count) THEN 1 ELSE 0 END) FROM touched
        """
    }
}
