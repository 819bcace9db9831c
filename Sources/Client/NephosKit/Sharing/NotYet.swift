import Foundation

/// Calls that are declared so that programs compile, but always fail. The raw value is the reason in the error.
enum NotYet: String, CaseIterable, Sendable {
    case accessRequests = "access to a share cannot be requested"
    case discovery = "users cannot be looked up by addresses or IDs"
    case permissions = "application permissions cannot be requested"

    var error: CKError { CKError(.serverRejectedRequest, "sharing is not supported yet: \(rawValue)") }

    /// Passes the error to the block as a request to a server does: asynchronously and on another thread.
    func fail<Value>(_ completionHandler: @escaping @Sendable (Value?, (any Error)?) -> Void) {
        Task { completionHandler(nil, error) }
    }

    /// Passes the error to the block as a request to a server does: asynchronously and on another thread.
    func fail<Value>(_ completionHandler: @escaping @Sendable (Result<Value, any Error>) -> Void) {
        Task { completionHandler(.failure(error)) }
    }
}
