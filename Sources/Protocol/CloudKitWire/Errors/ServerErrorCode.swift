/// The documented `serverErrorCode`s, spelled as clients see them. Clients decode them into closed sets, so there are
/// no others (docs/protocol.md, "Errors").
public enum ServerErrorCode: String, Sendable, Hashable, CaseIterable {
    case accessDenied = "ACCESS_DENIED"
    case atomicError = "ATOMIC_ERROR"
    case authenticationFailed = "AUTHENTICATION_FAILED"
    case authenticationRequired = "AUTHENTICATION_REQUIRED"
    case badRequest = "BAD_REQUEST"
    case conflict = "CONFLICT"
    case exists = "EXISTS"
    case internalError = "INTERNAL_ERROR"
    case notFound = "NOT_FOUND"
    case quotaExceeded = "QUOTA_EXCEEDED"
    case throttled = "THROTTLED"
    case tryAgainLater = "TRY_AGAIN_LATER"
    case validatingReferenceError = "VALIDATING_REFERENCE_ERROR"
    case zoneNotFound = "ZONE_NOT_FOUND"

    /// The HTTP status if the error is that of the whole request. Errors of items are returned with status 200.
    public var httpStatus: Int {
        switch self {
        case .accessDenied: 403
        case .atomicError: 400
        case .authenticationFailed: 401
        case .authenticationRequired: 421
        case .badRequest: 400
        case .conflict: 409
        case .exists: 409
        case .internalError: 500
        case .notFound: 404
        case .quotaExceeded: 413
        case .throttled: 429
        case .tryAgainLater: 503
        case .validatingReferenceError: 412
        case .zoneNotFound: 404
        }
    }
}
