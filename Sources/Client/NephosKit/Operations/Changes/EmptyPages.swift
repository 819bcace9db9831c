/// Counts consecutive pages of a feed or a query that are empty although more are coming. A few are not an error: the
/// server may have scanned much that it does not report. A feed that continues like that would never end.
struct EmptyPages: Sendable {
    static let limit = 100

    private var count = 0

    /// Counts a page after which more changes are coming.
    ///
    /// - Throws: `internalError` at the last of ``limit`` empty pages in a row.
    mutating func follow(isEmpty: Bool) throws(CKError) {
        count = isEmpty ? count + 1 : 0
        guard count < Self.limit else {
            throw CKError(
                .internalError, "the server announced more, but \(count) pages in a row were empty")
        }
    }
}
