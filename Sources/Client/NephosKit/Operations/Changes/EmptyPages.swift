/// Pages of a feed, one after the other, that brought nothing although more is coming. Some are no fault: a server may have looked
/// through much that is not told. A feed that goes on like that would never end.
struct EmptyPages: Sendable {
    static let limit = 100

    private var count = 0

    /// Counts a page behind which more is coming.
    ///
    /// - Throws: `internalError` for the last of ``limit`` empty ones in a row.
    mutating func follow(isEmpty: Bool) throws(CKError) {
        count = isEmpty ? count + 1 : 0
        guard count < Self.limit else {
            throw CKError(
                .internalError, "the feed announced more changes, but \(count) pages in a row were empty")
        }
    }
}
