// Apple's service has given these up: nobody is asked any more whether others may find them.
import Foundation

extension CKContainer {
    @available(*, deprecated, message: "Nobody is asked any more whether others may find them.")
    public struct ApplicationPermissions: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Others may find the person by their address.
        public static let userDiscoverability = ApplicationPermissions(rawValue: 1)
    }

    @available(*, deprecated, message: "Nobody is asked any more whether others may find them.")
    public enum ApplicationPermissionStatus: Int, Sendable {
        case initialState = 0, couldNotComplete, denied, granted
    }

    @available(*, deprecated, message: "Nobody is asked any more whether others may find them.")
    public typealias ApplicationPermissionBlock = (CKContainer.ApplicationPermissionStatus, (any Error)?) -> Void

    /// Gives `.couldNotComplete` and why.
    @available(*, deprecated, message: "Nobody is asked any more whether others may find them.")
    @preconcurrency
    public func status(
        forApplicationPermission applicationPermission: CKContainer.ApplicationPermissions,
        completionHandler: @escaping @Sendable (CKContainer.ApplicationPermissionStatus, (any Error)?) -> Void
    ) {
        Task { completionHandler(.couldNotComplete, permissionFailure) }
    }

    /// Fails, and says why.
    @available(*, deprecated, message: "Nobody is asked any more whether others may find them.")
    @discardableResult
    public func applicationPermissionStatus(
        for applicationPermission: CKContainer.ApplicationPermissions
    ) async throws -> CKContainer.ApplicationPermissionStatus { throw permissionFailure }

    /// Gives `.couldNotComplete` and why.
    @available(*, deprecated, message: "Nobody is asked any more whether others may find them.")
    @preconcurrency
    public func requestApplicationPermission(
        _ applicationPermission: CKContainer.ApplicationPermissions,
        completionHandler: @escaping @Sendable (CKContainer.ApplicationPermissionStatus, (any Error)?) -> Void
    ) {
        Task { completionHandler(.couldNotComplete, permissionFailure) }
    }

    /// Fails, and says why.
    @available(*, deprecated, message: "Nobody is asked any more whether others may find them.")
    @discardableResult
    public func requestApplicationPermission(
        _ applicationPermission: CKContainer.ApplicationPermissions
    ) async throws -> CKContainer.ApplicationPermissionStatus { throw permissionFailure }

    private var permissionFailure: CKError {
        service.isSignedIn ? NotYet.permissions.error : .signedOut("permission")
    }
}
