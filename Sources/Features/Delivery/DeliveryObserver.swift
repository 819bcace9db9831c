import NephosRunner
package import NephosStorage
import Synchronization

/// Is notified of the outcomes of deliveries, for metrics, and of failures, for the log. An unreachable database or a full disk
/// is not reported here, because the storage reports it.
package final class DeliveryObserver: Sendable {
    private let onFailure = Mutex<@Sendable (Tenant, any Error) -> Void>({ _, _ in })
    private let onEnd: @Sendable (DeviceRow.Channel, PushLogRow.Outcome) -> Void

    /// - Parameter ended: Called for each attempt with its outcome. It must not block.
    package init(ended: @escaping @Sendable (DeviceRow.Channel, PushLogRow.Outcome) -> Void = { _, _ in }) {
        onEnd = ended
    }

    /// Calls `listener` with failures from now on.
    package func listen(_ listener: @escaping @Sendable (Tenant, any Error) -> Void) {
        onFailure.withLock { $0 = listener }
    }

    /// Counts outcomes of deliveries, and logs failures.
    convenience init(_ host: FeatureHost) {
        var count: [String: @Sendable () -> Void] = [:]
        for channel in DeviceRow.Channel.allCases {
            for outcome in PushLogRow.Outcome.allCases {
                count["\(channel) \(outcome)"] = host.counter(
                    "nephos_deliveries_total", [("channel", "\(channel)"), ("outcome", "\(outcome)")])
            }
        }
        self.init { [count] channel, outcome in count["\(channel) \(outcome)"]?() }
        listen { host.failed("notifying devices failed", $0, $1) }
    }

    func failed(_ tenant: Tenant, _ error: any Error) {
        switch error {
        case StorageError.unavailable, StorageError.full, StorageError.closed, is CancellationError: return
        default: onFailure.withLock { $0 }(tenant, error)
        }
    }

    func ended(_ log: [PushLogRow]) { for entry in log { onEnd(entry.channel, entry.outcome) } }
}
