import Logging
import Metrics
import NephosRunner
import NephosStorage

/// Counts runs of background work, and logs failed ones.
struct JobMetrics: Sendable {
    private let counters: [String: Counter]
    private let logger: Logger

    init(_ jobs: [Job], factory: any MetricsFactory, logger: Logger) {
        self.logger = logger
        var counters: [String: Counter] = [:]
        for job in jobs {
            for outcome in Jobs.Outcome.allCases {
                counters["\(job.name) \(outcome)"] = Counter(
                    label: "nephos_jobs_total", dimensions: [("job", job.name), ("outcome", outcome.rawValue)],
                    factory: factory)
            }
        }
        self.counters = counters
    }

    func ended(_ key: JobKey, _ outcome: Jobs.Outcome, _ error: (any Error)?) {
        counters["\(key.name) \(outcome)"]?.increment()
        guard let error else { return }
        switch error {
        case StorageError.unavailable, StorageError.full, StorageError.closed: return
        default:
            logger.error(
                "background work failed",
                metadata: ["job": "\(key.name)", "tenant": "\(key.subject)", "error": "\(error)"])
        }
    }
}
