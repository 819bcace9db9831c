/// A predicate or a sort descriptor that no query can say. An operation that has it to send fails with
/// `CKError.invalidArguments` and this reason.
struct UnsupportedPredicate: Error, Sendable, Equatable {
    var reason: String

    init(_ reason: String) { self.reason = reason }
}
