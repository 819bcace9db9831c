import Foundation

/// What is declared so that programs compile, and fails when it is used. Here is what it says then, for everyone.
enum NotYet: String, CaseIterable, Sendable {
    case saving = "no share can be saved"
    case accepting = "no share can be accepted"
    case metadata = "no address of a share leads anywhere"
    case participants = "nobody can be found to be added to a share"
    case accessRequests = "nobody can be asked for access to a share"
    case discovery = "nobody can be found by addresses or ids"
    case permissions = "nobody can be asked whether others may find them"

    var error: CKError { CKError(.serverRejectedRequest, "sharing is not there yet: \(rawValue)") }

    /// Fails as what is asked of a server does: later, and on another thread.
    func fail<Value>(_ completionHandler: @escaping @Sendable (Value?, (any Error)?) -> Void) {
        Task { completionHandler(nil, error) }
    }

    /// Fails as what is asked of a server does: later, and on another thread.
    func fail<Value>(_ completionHandler: @escaping @Sendable (Result<Value, any Error>) -> Void) {
        Task { completionHandler(.failure(error)) }
    }
}
