import Foundation

/// The duration of the tests; `make acceptance` runs them longer.
enum Options {
    /// Seconds during which servers are killed: `NEPHOS_CLUSTER_SECONDS`.
    static let chaosSeconds: Double = {
        let text = ProcessInfo.processInfo.environment["NEPHOS_CLUSTER_SECONDS"] ?? ""
        return Double(text) ?? 15
    }()
}
