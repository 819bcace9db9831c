package import Metrics
package import NephosStorage

/// Metrics of the engines' commits.
package struct StorageMeter: Sendable {
    private let commits: Counter
    private let groups: Recorder

    /// - Parameter factory: nil for the one that swift-metrics was started with.
    package init(factory: (any MetricsFactory)? = nil) {
        let factory = factory ?? MetricsSystem.factory
        commits = Counter(label: "nephos_commits_total", dimensions: [], factory: factory)
        groups = Recorder(label: "nephos_commit_group_size", dimensions: [], aggregate: true, factory: factory)
    }

    /// Called whenever a transaction became durable.
    package var committed: @Sendable (CommitReport) -> Void {
        { report in
            commits.increment(by: report.commits)
            groups.record(report.commits)
        }
    }
}
