package import Metrics
package import NephosEndpoints
import NephosStorage

extension QueryMeter {
    /// Counts the cost of queries.
    ///
    /// - Parameter factory: nil for the one that swift-metrics was started with.
    package init(factory: (any MetricsFactory)? = nil) {
        let factory = factory ?? MetricsSystem.factory
        func recorder(_ what: String) -> Recorder {
            Recorder(label: "nephos_queries_\(what)", dimensions: [], aggregate: true, factory: factory)
        }
        let rows = recorder("rows_examined")
        let bytes = recorder("bytes_examined")
        let comparisons = recorder("comparisons")
        let waits = Counter(label: "nephos_queries_index_waits_total", dimensions: [], factory: factory)
        func builds(_ result: String) -> Counter {
            Counter(label: "nephos_queries_index_builds_total", dimensions: [("result", result)], factory: factory)
        }
        let (done, failed) = (builds("done"), builds("failed"))
        self.init(
            looked: { work in
                rows.record(work.rows)
                bytes.record(work.bytes)
                comparisons.record(work.comparisons)
            },
            waits: { waits.increment() },
            built: { result in
                switch result {
                case .success: done.increment()
                case .failure: failed.increment()
                }
            })
    }
}
