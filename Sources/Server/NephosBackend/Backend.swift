package import Logging
import Metrics
package import NephosAssets
import NephosDomain
package import NephosEndpoints
package import NephosRunner
package import NephosStorage

/// A server without its network: request handling, store maintenance and the work of features, assembled over one engine. `nephos
/// serve` puts sockets in front of it; tests call it directly.
package struct Backend: Sendable {
    /// Threads on which work may block.
    package struct Threads: Sendable {
        /// For larger reads, and background work.
        package var waiting: any WaitingThreads
        /// For the disk with the files of assets.
        package var files: any WaitingThreads
        /// For work of features that would delay reads too much (``FeatureHost/apart``).
        package var apart: any WaitingThreads

        package init(waiting: any WaitingThreads, files: any WaitingThreads, apart: any WaitingThreads) {
            self.waiting = waiting
            self.files = files
            self.apart = apart
        }
    }

    package let runner: Runner
    /// Responds to all requests: pages, files, and CloudKit Web Services.
    package let responder: any Responder
    /// The endpoints for monitoring the server.
    package let monitor: Monitor
    /// Background work; each job is done by one of several servers at a time.
    package let jobs: Jobs
    package let upkeep: Upkeep
    /// Extends sessions that are used.
    package let sessions: SessionExtender
    private let news: NewsWatch
    private let http: any OutgoingHTTP
    private let worker: Worker
    /// Whether mails are sent.
    package let mail: MailState
    /// The services of features.
    package let features: [FeatureService]

    /// - Parameters:
    ///   - runner: The access path to the engine. The caller closes the engine after ``run()`` has ended and no more requests
    ///     arrive.
    ///   - files: The files of assets.
    ///   - http: Requests of features to other servers. Closed when ``run()`` ends.
    ///   - mail: The transport for mails.
    ///   - features: The services of the features that the engine was opened with.
    ///   - metrics: The metrics at `/metrics`, including those counted here.
    ///   - meter: Called with the cost of queries; nil to count it in `metrics`.
    ///   - hasMonitor: Whether `/healthz` and `/metrics` are among the pages; otherwise they have their own address.
    ///   - logger: For failures of background work.
    ///   - clock: Milliseconds since 1970, for everything but requests, which have their own time.
    ///   - randomSource: Ids and random bits for requests.
    package init(
        _ configuration: BackendConfiguration, runner: Runner, files: any AssetStore,
        http: any OutgoingHTTP = NoOutgoingHTTP(), mail: any OutgoingMail = NoOutgoingMail(),
        features: [Feature.Serving] = [], threads: Threads,
        metrics: PrometheusMetrics = PrometheusMetrics(),
        meter: QueryMeter? = nil,
        hasMonitor: Bool = true, logger: Logger, clock: @escaping @Sendable () -> Milliseconds = WallClock.now,
        randomSource: RandomSource = .system
    ) {
        let meter = meter ?? QueryMeter(factory: metrics)
        let unreferenced = UnreferencedFileCounts()
        let indexes = IndexKeeper(clock: clock, built: meter.built)
        let endpoints = CloudKitEndpoints(meter: meter, indexes: indexes, unreferenced: unreferenced)
        let fileEndpoint = FileEndpoint(
            runner: runner, files: files, threads: threads.files, limits: configuration.limits,
            unreferenced: unreferenced,
            openFilesMax: configuration.openFilesMax, clock: clock, randomSource: randomSource)
        let worker = Worker(runner, on: threads.waiting, clock: clock)
        news = NewsWatch(worker) { error in
            if Self.isForTheLog(error) { logger.error("checking for changes failed", metadata: ["error": "\(error)"]) }
        }
        let sessions = SessionExtender(worker) { tenant, error in
            guard Self.isForTheLog(error) else { return }
            logger.error(
                "sessions were not extended after their use", metadata: ["tenant": "\(tenant)", "error": "\(error)"])
        }
        self.sessions = sessions
        self.http = http
        self.worker = worker
        let mails = Mails(worker, by: mail, metrics: metrics, logger: logger)
        self.mail = mails.state
        var host = FeatureHost(
            worker: worker, apart: Worker(runner, on: threads.apart, clock: clock), randomSource: randomSource,
            news: news,
            indexes: indexes, files: files, http: http, mail: mails.state,
            counter: { name, dimensions in
                let counter = Counter(label: name, dimensions: dimensions, factory: metrics)
                return { counter.increment() }
            },
            failed: { what, tenant, error in
                logger.error("\(what)", metadata: ["tenant": "\(tenant)", "error": "\(error)"])
            })
        (host.publicURL, host.isLocal) = (configuration.publicURL, configuration.isLocal)
        let services = features.map { [host] in $0(host) }
        self.features = services
        var answering = configuration.answering(meter)
        (answering.clock, answering.randomSource) = (clock, randomSource)
        answering.onAppReport = services.compactMap(\.onAppReport)
        answering.used = sessions.note
        answering.signInURL = services.compactMap(\.signInURL).first ?? SignInPage.url
        self.runner = runner
        monitor = Monitor(
            health: { [engine = runner.engine, outage = runner.outage] in
                try outage.watching { try engine.probe() }
            }, healthWaits: runner.engine.readsWait, isFull: { [outage = runner.outage] in outage.isFull },
            metrics: metrics.text, names: configuration.names)
        responder = EndpointResponder(
            endpoints.all + [fileEndpoint.endpoint] + services.flatMap(\.endpoints), runner: runner,
            configuration: answering,
            pages: PagesResponder(
                monitor: monitor, hasMonitor: hasMonitor,
                front: FrontPage(publicURL: configuration.publicURL, demo: configuration.demo),
                others: services.flatMap(\.pages)),
            whenStopped: {
                await indexes.stop()
                await sessions.stop()
            })
        for service in services { metrics.describe(service.help) }
        for (name, figure) in services.flatMap(\.figures) { metrics.sample(name, figure) }
        for family in services.flatMap(\.families) { metrics.sample(family) }
        upkeep = Upkeep(
            worker: worker, tombstoneDays: configuration.tombstoneDays, trashDays: configuration.trashDays,
            interval: Milliseconds(configuration.upkeepSeconds) * 1_000,
            assets: AssetUpkeep(
                worker: Worker(runner, on: threads.files, clock: clock), files: files, logger: logger),
            logger: logger)
        let kinds = upkeep.jobs + [mails.job] + services.flatMap(\.jobs)
        jobs = Jobs(
            kinds, worker: worker, lease: configuration.jobLeaseMilliseconds,
            observer: JobMetrics(kinds, factory: metrics, logger: logger).ended)
    }

    /// Excludes failures that are reported as a storage outage.
    private static func isForTheLog(_ error: any Error) -> Bool {
        switch error {
        case StorageError.unavailable, StorageError.full, StorageError.busy, StorageError.closed: false
        default: true
        }
    }

    /// Runs everything that no request waits for, until the task is cancelled; then completes running work. Cancel it when no
    /// request is being processed any more.
    package func run() async {
        for feature in features { feature.listen?() }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await jobs.run() }
            group.addTask { await upkeep.run() }
            group.addTask { await news.run() }
            group.addTask { await mail.follow(worker) }
            for run in features.compactMap(\.run) { group.addTask { await run() } }
        }
        await responder.stop()
        await http.close()
    }
}

extension BackendConfiguration {
    fileprivate func answering(_ meter: QueryMeter) -> EndpointResponder.Configuration {
        var answering = EndpointResponder.Configuration()
        answering.publicURL = publicURL
        answering.signatureWindow = signatureWindowMilliseconds
        answering.unrecognizedBodyBytesMax = unrecognizedBodyBytesMax
        answering.limits.unreferencedFiles = unreferencedFiles
        answering.readBriefly = meter.brief
        return answering
    }
}
