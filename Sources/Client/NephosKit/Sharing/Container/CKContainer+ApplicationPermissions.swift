// Apple's service no longer supports these calls: people are no longer asked whether others may find them.
import Foundation

extension CKContainer {
    /// Permissions that a person could be asked for. Apple's service no longer supports them, and Nephos never asks.
    @available(*, deprecated, message: "Apple's service no longer requests application permissions.")
    public struct ApplicationPermissions: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Others may find the person by their address.
        public static let userDiscoverability = ApplicationPermissions(rawValue: 1)
    }

    /// The person's decision. The status is always `.couldNotComplete`.
    @available(*, deprecated, message: "Apple's service no longer requests application permissions.")
    public enum ApplicationPermissionStatus: Int, Sendable {
        /// The person was not asked yet.
        case initialState = 0
        /// The person could not be asked.
        case couldNotComplete
        /// The person denied the permission.
        case denied
        /// The person granted the permission.
        case granted
    }

    /// A block that receives the status, and an error if the status could not be determined.
    @available(*, deprecated, message: "Apple's service no longer requests application permissions.")
    public typealias ApplicationPermissionBlock = (CKContainer.ApplicationPermissionStatus, (any Error)?) -> Void

    /// Always fails: the block receives `.couldNotComplete` and a ``CKError``: `notAuthenticated` when nobody is signed
    /// in, otherwise `serverRejectedRequest`.
    @available(*, deprecated, message: "Apple's service no longer requests application permissions.")
    @preconcurrency
    public func status(
        forApplicationPermission applicationPermission: CKContainer.ApplicationPermissions,
        completionHandler: @escaping @Sendable (CKContainer.ApplicationPermissionStatus, (any Error)?) -> Void
    ) {
        Task { completionHandler(.couldNotComplete, permissionFailure) }
    }

    /// Always fails: the status of a permission cannot be determined.
    ///
    /// - Throws: ``CKError``, always: `notAuthenticated` when nobody is signed in, otherwise `serverRejectedRequest`.
    @available(*, deprecated, message: "Apple's service no longer requests application permissions.")
    @discardableResult
    public func applicationPermissionStatus(
        for applicationPermission: CKContainer.ApplicationPermissions
    ) async throws -> CKContainer.ApplicationPermissionStatus { throw permissionFailure }

    /// Always fails: the block receives `.couldNotComplete` and a ``CKError``: `notAuthenticated` when nobody is signed
    /// in, otherwise `serverRejectedRequest`.
    @available(*, deprecated, message: "Apple's service no longer requests application permissions.")
    @preconcurrency
    public func requestApplicationPermission(
        _ applicationPermission: CKContainer.ApplicationPermissions,
        completionHandler: @escaping @Sendable (CKContainer.ApplicationPermissionStatus, (any Error)?) -> Void
    ) {
        Task { completionHandler(.couldNotComplete, permissionFailure) }
    }

    /// Always fails: permissions cannot be requested.
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
