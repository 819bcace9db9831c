/// The error for a predicate or a sort descriptor that a query cannot express. An operation that would have to send it
/// fails with `CKError.invalidArguments` and this reason.
struct UnsupportedPredicate: Error, Sendable, Equatable {
    var reason: String

    init(_ reason: String) { self.reason = reason }
}
