package import NephosDomain
package import NephosStorage

/// What a folder below `Sources/Features` adds to a server (docs/decisions/0028). A value: a program is put together from a list of
/// them, and nothing else of it knows which there are.
package struct Feature: Sendable {
    /// A word in lower case; no two have the same.
    package let name: String
    /// Tables of its own (docs/decisions/0020).
    package var tables: [any StoredRow.Type]
    /// What it adds to the life of records, and by which documents it is set up.
    package var rules: RuleBook
    /// What operators can have done.
    package var useCases: [UseCaseGroup]
    /// What a server does for it. Called once for each server that is put together.
    package var serving: @Sendable (FeatureHost) -> FeatureService

    package init(
        _ name: String, tables: [any StoredRow.Type] = [], rules: RuleBook = RuleBook(), useCases: [UseCaseGroup] = [],
        serving: @escaping @Sendable (FeatureHost) -> FeatureService = { _ in FeatureService() }
    ) {
        self.name = name
        self.tables = tables
        self.rules = rules
        self.useCases = useCases
        self.serving = serving
    }
}

/// What a server lends to a feature.
package struct FeatureHost: Sendable {
    /// The way of what no request waits for, with the server's clock.
    package let worker: Worker
    package let chance: Chance
    /// Wakes who waits for topics.
    package let news: NewsWatch
    /// Asks others.
    package let http: any OutgoingHTTP

    package init(worker: Worker, chance: Chance, news: NewsWatch, http: any OutgoingHTTP) {
        (self.worker, self.chance, self.news, self.http) = (worker, chance, news, http)
    }

    package var runner: Runner { worker.runner }
}

/// What a server does for a feature.
package struct FeatureService: Sendable {
    package var endpoints: [Endpoint]
    /// Background work, each piece done by one of several servers.
    package var jobs: [Job]
    /// Figures that are asked for whenever somebody reads the metrics, by names such as `nephos_devices_waiting`.
    package var figures: [String: @Sendable () -> Double]
    /// Works until its task is cancelled, then ends what is under way; nil where there is nothing to do.
    package var run: (@Sendable () async -> Void)?

    package init(
        endpoints: [Endpoint] = [], jobs: [Job] = [], figures: [String: @Sendable () -> Double] = [:],
        run: (@Sendable () async -> Void)? = nil
    ) {
        self.endpoints = endpoints
        self.jobs = jobs
        self.figures = figures
        self.run = run
    }
}

extension [Feature] {
    /// What an engine is opened with, so that stores have their tables, and catalogs their rules.
    package var tables: TableSet {
        guard !isEmpty else { return .server }
        let rules = RuleBook(
            records: flatMap(\.rules.records), visibility: flatMap(\.rules.visibility),
            sections: flatMap(\.rules.sections))
        return TableSet(adding: flatMap(\.tables)) { rules.rules(of: $0) }
    }

    package var useCases: [UseCaseGroup] { flatMap(\.useCases) }
}
