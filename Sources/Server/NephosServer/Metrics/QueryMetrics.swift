package import Metrics
package import NephosHTTP

extension QueryMeter {
    /// Counts what queries tell.
    ///
    /// - Parameter factory: nil is the one that swift-metrics was started with.
    package init(factory: (any MetricsFactory)? = nil) {
        let factory = factory ?? MetricsSystem.factory
        let examined = Recorder(
            label: "nephos_queries_rows_examined", dimensions: [], aggregate: true, factory: factory)
        let waits = Counter(label: "nephos_queries_index_waits_total", dimensions: [], factory: factory)
        func builds(_ result: String) -> Counter {
            Counter(label: "nephos_queries_index_builds_total", dimensions: [("result", result)], factory: factory)
        }
        let (done, failed) = (builds("done"), builds("failed"))
        self.init(
            examined: { examined.record($0) }, waits: { waits.increment() },
            built: { result in
                switch result {
                case .success: done.increment()
                case .failure: failed.increment()
                }
            })
    }
}
