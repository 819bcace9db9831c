package import Logging
import Metrics
package import NephosAssets
import NephosDomain
package import NephosEndpoints
package import NephosRunner
package import NephosStorage

/// A server without its network: what answers requests, keeps stores in order and does what features have it do, put together
/// over one engine. `nephos serve` puts sockets in front of it; a test asks it right here.
package struct Backend: Sendable {
    /// Threads that may wait.
    package struct Threads: Sendable {
        /// For reads that are not small, and background work.
        package var waiting: any WaitingThreads
        /// For the disk that files of assets lie on.
        package var files: any WaitingThreads
        /// For work of features that is so much that reads would have to wait (``FeatureHost/apart``).
        package var apart: any WaitingThreads

        package init(waiting: any WaitingThreads, files: any WaitingThreads, apart: any WaitingThreads) {
            self.waiting = waiting
            self.files = files
            self.apart = apart
        }
    }

    package let runner: Runner
    /// Answers everything: pages, files, and CloudKit Web Services.
    package let responder: any Responder
    /// What is for whoever watches the server.
    package let monitor: Monitor
    /// Background work that one of several servers does at a time.
    package let jobs: Jobs
    package let upkeep: Upkeep
    /// Makes sessions longer that are used.
    package let sessions: SessionKeeper
    private let news: NewsWatch
    private let http: any OutgoingHTTP
    private let worker: Worker
    /// Whether mails are sent.
    package let mail: MailState
    /// What is done for features.
    package let features: [FeatureService]

    /// - Parameters:
    ///   - runner: The way to the engine. Closing that is the caller's business, once ``run()`` has ended and nothing is asked any
    ///     more.
    ///   - files: Those of assets.
    ///   - http: How features ask others. Closed when ``run()`` ends.
    ///   - mail: How mails leave.
    ///   - features: What is done for those that the engine was opened with.
    ///   - metrics: What `/metrics` shows, and what is counted here.
    ///   - meter: Told what queries cost; nil counts it.
    ///   - hasMonitor: Whether `/healthz` and `/metrics` are among the pages; else they have an address of their own.
    ///   - logger: Told what background work fails at.
    ///   - clock: Milliseconds since 1970, for everything but requests, which bring their own.
    ///   - chance: For what requests make.
    package init(
        _ configuration: BackendConfiguration, runner: Runner, files: any AssetStore,
        http: any OutgoingHTTP = NoOutgoingHTTP(), mail: any OutgoingMail = NoOutgoingMail(),
        features: [Feature.Serving] = [], threads: Threads,
        metrics: PrometheusMetrics = PrometheusMetrics(),
        meter: QueryMeter? = nil,
        hasMonitor: Bool = true, logger: Logger, clock: @escaping @Sendable () -> Milliseconds = WallClock.now,
        chance: Chance = .system
    ) {
        let meter = meter ?? QueryMeter(factory: metrics)
        let unheld = UnheldCounts()
        let indexes = IndexKeeper(clock: clock, built: meter.built)
        let endpoints = CloudKitEndpoints(meter: meter, indexes: indexes, unheld: unheld)
        let fileEndpoint = FileEndpoint(
            runner: runner, files: files, threads: threads.files, limits: configuration.limits, unheld: unheld,
            openFilesMax: configuration.openFilesMax, clock: clock, chance: chance)
        let worker = Worker(runner, on: threads.waiting, clock: clock)
        news = NewsWatch(worker) { error in
            if Self.isForTheLog(error) { logger.error("looking for news failed", metadata: ["error": "\(error)"]) }
        }
        let sessions = SessionKeeper(worker) { tenant, error in
            guard Self.isForTheLog(error) else { return }
            logger.error(
                "sessions were not made longer by their use", metadata: ["tenant": "\(tenant)", "error": "\(error)"])
        }
        self.sessions = sessions
        self.http = http
        self.worker = worker
        let mails = Mails(worker, by: mail, metrics: metrics, logger: logger)
        self.mail = mails.state
        var host = FeatureHost(
            worker: worker, apart: Worker(runner, on: threads.apart, clock: clock), chance: chance, news: news,
            indexes: indexes, files: files, http: http, mail: mails.state,
            counter: { name, dimensions in
                let counter = Counter(label: name, dimensions: dimensions, factory: metrics)
                return { counter.increment() }
            },
            failed: { what, tenant, error in
                logger.error("\(what)", metadata: ["tenant": "\(tenant)", "error": "\(error)"])
            })
        host.publicURL = configuration.publicURL
        let services = features.map { [host] in $0(host) }
        self.features = services
        var answering = configuration.answering(meter)
        (answering.clock, answering.chance) = (clock, chance)
        answering.heard = services.compactMap(\.heard)
        answering.used = sessions.note
        answering.signInURL = services.compactMap(\.signInURL).first ?? SignInPage.url
        self.runner = runner
        monitor = Monitor(
            health: { [engine = runner.engine, outage = runner.outage] in
                try outage.watching { try engine.probe() }
            }, healthWaits: runner.engine.readsWait, isFull: { [outage = runner.outage] in outage.isFull },
            metrics: metrics.text)
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

    /// Not what is told by whoever watches the storage.
    private static func isForTheLog(_ error: any Error) -> Bool {
        switch error {
        case StorageError.unavailable, StorageError.full, StorageError.busy, StorageError.closed: false
        default: true
        }
    }

    /// Does what no request waits for, until the task is cancelled; then ends what is under way. Cancel it when no request is in
    /// work any more.
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
        answering.limits.unheldFiles = unheldFiles
        answering.readBriefly = meter.brief
        return answering
    }
}
