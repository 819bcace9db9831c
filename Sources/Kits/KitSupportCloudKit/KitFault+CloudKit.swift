import CloudKit
package import KitSupport

extension KitFault {
    /// For an error of CloudKit.
    package init(cloudKit error: any Error) {
        guard let error = error as? CKError else {
            self.init(.unreachable, "\(error)")
            return
        }
        let kind: Kind =
            switch error.code {
            case .networkUnavailable, .networkFailure, .serviceUnavailable, .requestRateLimited, .zoneBusy: .unreachable
            case .permissionFailure, .notAuthenticated: .notAllowed
            case .unknownItem: .notFound
            case .operationCancelled: .cancelled
            default: .refused
            }
        let wait = error.retryAfterSeconds.map { Duration.seconds(min(max($0, 0), 86_400)) }
        self.init(kind, "CloudKit: \(error.localizedDescription)", retryAfter: wait)
    }
}
