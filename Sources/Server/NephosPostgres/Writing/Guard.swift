import NephosStorage

/// Statements that fail, together with their transaction, if they do not affect exactly the expected rows.
///
/// A decision's writes depend on what it read under the head's lock, so that this never happens; but if it does, it must not
/// be committed, and COMMIT is sent together with the statement. So the statement itself divides by zero.
enum Guard {
    /// The SQLSTATE of that failure.
    static let state = "22012"

    /// - Parameter writing: A statement that ends with `RETURNING 1`; it must affect one row.
    static func touching(one writing: String) -> String { touching("1", writing) }

    /// - Parameter count: The number of rows that it must affect: a parameter of type `bigint`.
    static func touching(_ count: String, _ writing: String) -> String {
        """
        WITH touched AS (\(writing))
        SELECT 1::bigint / (CASE WHEN count(*) = \(count) THEN 1 ELSE 0 END) FROM touched
        """
    }
}
