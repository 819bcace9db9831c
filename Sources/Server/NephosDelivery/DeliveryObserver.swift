package import NephosStorage
import Synchronization

/// What keeps deliveries from their way is told here, for the log. That the database cannot be reached is not: whoever asks
/// it says so.
package final class DeliveryObserver: Sendable {
    private let listener = Mutex<@Sendable (Tenant, any Error) -> Void>({ _, _ in })

    package init() {}

    package func listen(_ listener: @escaping @Sendable (Tenant, any Error) -> Void) {
        self.listener.withLock { $0 = listener }
    }

    func failed(_ tenant: Tenant, _ error: any Error) {
        switch error {
        case StorageError.unavailable, StorageError.closed, is CancellationError: return
        default: listener.withLock { $0 }(tenant, error)
        }
    }
}
