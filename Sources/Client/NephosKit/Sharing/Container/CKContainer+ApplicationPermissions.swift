// Apple's service has given these up: nobody is asked any more whether others may find them.
import Foundation

extension CKContainer {
    /// What a person could be asked for. Apple's service dropped it, and Nephos never asks.
    @available(*, deprecated, message: "Apple's service no longer requests application permissions.")
    public struct ApplicationPermissions: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Others may find the person by their address.
        public static let userDiscoverability = ApplicationPermissions(rawValue: 1)
    }

    /// What a person answered. Only `.couldNotComplete` is ever given.
    @available(*, deprecated, message: "Apple's service no longer requests application permissions.")
    public enum ApplicationPermissionStatus: Int, Sendable {
        /// The person was not asked yet.
        case initialState = 0
        /// The person could not be asked.
        case couldNotComplete
        /// The person said no.
        case denied
        /// The person said yes.
        case granted
    }

    /// Gets an answer, or why there is none.
    @available(*, deprecated, message: "Apple's service no longer requests application permissions.")
    public typealias ApplicationPermissionBlock = (CKContainer.ApplicationPermissionStatus, (any Error)?) -> Void

    /// Gives `.couldNotComplete` and why.
    @available(*, deprecated, message: "Apple's service no longer requests application permissions.")
    @preconcurrency
    public func status(
        forApplicationPermission applicationPermission: CKContainer.ApplicationPermissions,
        completionHandler: @escaping @Sendable (CKContainer.ApplicationPermissionStatus, (any Error)?) -> Void
    ) {
        Task { completionHandler(.couldNotComplete, permissionFailure) }
    }

    /// Fails, and says why.
    ///
    /// - Throws: ``CKError``, always: `notAuthenticated` when nobody is signed in, otherwise `serverRejectedRequest`.
    @available(*, deprecated, message: "Apple's service no longer requests application permissions.")
    @discardableResult
    public func applicationPermissionStatus(
        for applicationPermission: CKContainer.ApplicationPermissions
    ) async throws -> CKContainer.ApplicationPermissionStatus { throw permissionFailure }

    /// Gives `.couldNotComplete` and why.
    @available(*, deprecated, message: "Apple's service no longer requests application permissions.")
    @preconcurrency
    public func requestApplicationPermission(
        _ applicationPermission: CKContainer.ApplicationPermissions,
        completionHandler: @escaping @Sendable (CKContainer.ApplicationPermissionStatus, (any Error)?) -> Void
    ) {
        Task { completionHandler(.couldNotComplete, permissionFailure) }
    }

    /// Fails, and says why.
    ///
    /// - Throws: ``CKError``, always: `notAuthenticated` when nobody is signed in, otherwise `serverRejectedRequest`.
    @available(*, deprecated, message: "Apple's service no longer requests application permissions.")
    @discardableResult
    public func requestApplicationPermission(
        _ applicationPermission: CKContainer.ApplicationPermissions
    ) async throws -> CKContainer.ApplicationPermissionStatus { throw permissionFailure }

    private var permissionFailure: CKError {
        service.isSignedIn ? NotYet.permissions.error : .signedOut("permission")
    }
}
