package import Metrics
package import NephosDelivery
import NephosStorage

extension DeliveryObserver {
    /// Counts what becomes of deliveries.
    ///
    /// - Parameter factory: nil is the one that swift-metrics was started with.
    package convenience init(factory: (any MetricsFactory)?) {
        let factory = factory ?? MetricsSystem.factory
        var counters: [String: Counter] = [:]
        for channel in DeviceRow.Channel.allCases {
            for outcome in PushLogRow.Outcome.allCases {
                counters["\(channel) \(outcome)"] = Counter(
                    label: "nephos_deliveries_total",
                    dimensions: [("channel", "\(channel)"), ("outcome", "\(outcome)")], factory: factory)
            }
        }
        self.init { [counters] channel, outcome in counters["\(channel) \(outcome)"]?.increment() }
    }
}
