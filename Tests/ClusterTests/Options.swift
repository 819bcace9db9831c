import Foundation

/// How long the tests go on; `make acceptance` has them go on longer.
enum Options {
    /// Seconds that servers are killed for: `NEPHOS_CLUSTER_SECONDS`.
    static let chaosSeconds: Double = {
        let text = ProcessInfo.processInfo.environment["NEPHOS_CLUSTER_SECONDS"] ?? ""
        return Double(text) ?? 15
    }()
}
