package import Logging
package import NephosAssets
package import NephosDelivery
import NephosDomain
package import NephosEndpoints
package import NephosRunner
package import NephosStorage

/// A server without its network: what answers requests, tells devices of changes and keeps stores in order, put together over
/// one engine. `nephos serve` puts sockets in front of it; a test asks it right here.
package struct Backend: Sendable {
    /// Threads that may wait.
    package struct Threads: Sendable {
        /// For reads that are not small, and background work.
        package var waiting: any WaitingThreads
        /// For the disk that files of assets lie on.
        package var files: any WaitingThreads
        /// For telling devices.
        package var delivery: any WaitingThreads

        package init(waiting: any WaitingThreads, files: any WaitingThreads, delivery: any WaitingThreads) {
            self.waiting = waiting
            self.files = files
            self.delivery = delivery
        }
    }

    package let runner: Runner
    /// Answers everything: pages, files, and CloudKit Web Services.
    package let responder: any Responder
    /// Where devices wait for what they are to be told, and who tells them; nil where nobody is told.
    package let delivery: DeliveryService?
    /// What is for whoever watches the server.
    package let monitor: Monitor
    /// Background work that one of several servers does at a time.
    package let jobs: Jobs
    package let upkeep: Upkeep
    private let news: NewsWatch
    private let features: [FeatureService]

    /// - Parameters:
    ///   - runner: The way to the engine. Closing that is the caller's business, once ``run()`` has ended and nothing is asked any
    ///     more.
    ///   - files: Those of assets.
    ///   - post: How deliveries leave.
    ///   - http: How features ask others.
    ///   - features: Those that the engine was opened with.
    ///   - metrics: What `/metrics` shows, and what is counted here.
    ///   - meter: Told what queries cost; nil counts it.
    ///   - hasMonitor: Whether `/healthz` and `/metrics` are among the pages; else they have an address of their own.
    ///   - logger: Told what background work fails at.
    ///   - clock: Milliseconds since 1970, for everything but requests, which bring their own.
    ///   - chance: For what requests make.
    package init(
        _ configuration: BackendConfiguration, runner: Runner, files: any AssetStore, post: any Post,
        http: any OutgoingHTTP = NoOutgoingHTTP(), features: [Feature] = [], threads: Threads,
        metrics: PrometheusMetrics = PrometheusMetrics(),
        meter: QueryMeter? = nil,
        hasMonitor: Bool = true, logger: Logger, clock: @escaping @Sendable () -> Milliseconds = WallClock.now,
        chance: Chance = .system
    ) {
        let observer = DeliveryObserver(factory: metrics)
        observer.listen { tenant, error in
            logger.error("telling devices failed", metadata: ["tenant": "\(tenant)", "error": "\(error)"])
        }
        let delivery = DeliveryService(
            worker: Worker(runner, on: threads.delivery, clock: clock), options: configuration.delivery, post: post,
            observer: observer)
        let meter = meter ?? QueryMeter(factory: metrics)
        let unheld = UnheldCounts()
        let endpoints = CloudKitEndpoints(
            runner: runner, meter: meter, unheld: unheld, desk: configuration.tellsDevices ? delivery.desk : nil,
            clock: clock, chance: chance)
        let fileEndpoint = FileEndpoint(
            runner: runner, files: files, threads: threads.files, limits: configuration.limits, unheld: unheld,
            openFilesMax: configuration.openFilesMax, clock: clock, chance: chance)
        let worker = Worker(runner, on: threads.waiting, clock: clock)
        news = NewsWatch(worker) { error in
            logger.error("looking for news failed", metadata: ["error": "\(error)"])
        }
        let host = FeatureHost(worker: worker, chance: chance, news: news, http: http)
        let services = features.map { $0.serving(host) }
        self.features = services
        var answering = configuration.answering(meter)
        (answering.clock, answering.chance) = (clock, chance)
        let responding = EndpointResponder(
            endpoints.all + [fileEndpoint.endpoint] + services.flatMap(\.endpoints), runner: runner,
            configuration: answering,
            whenStopped: endpoints.stop)
        self.runner = runner
        self.delivery = configuration.tellsDevices ? delivery : nil
        monitor = Monitor(
            health: { [engine = runner.engine, outage = runner.outage] in
                try outage.watching { try engine.probe() }
            }, healthWaits: runner.engine.readsWait, metrics: metrics.text)
        responder = PagesResponder(
            monitor: monitor, hasMonitor: hasMonitor,
            front: FrontPage(publicURL: configuration.publicURL, demo: configuration.demo), next: responding)
        if configuration.tellsDevices { metrics.sample("nephos_devices_waiting") { Double(delivery.desk.waiting) } }
        for (name, figure) in services.flatMap(\.figures) { metrics.sample(name, figure) }
        upkeep = Upkeep(
            worker: worker, tombstoneDays: configuration.tombstoneDays, trashDays: configuration.trashDays,
            interval: Milliseconds(configuration.upkeepSeconds) * 1_000,
            assets: AssetUpkeep(
                worker: Worker(runner, on: threads.files, clock: clock), files: files, logger: logger),
            logger: logger)
        let hasHours = features.contains { !$0.rules.visibility.isEmpty }
        let kinds =
            upkeep.jobs + (hasHours ? [.dueEvents(worker)] : []) + (configuration.tellsDevices ? [delivery.job] : [])
            + services.flatMap(\.jobs)
        jobs = Jobs(
            kinds, worker: worker, lease: configuration.jobLeaseMilliseconds,
            observer: JobMetrics(kinds, factory: metrics, logger: logger).ended)
    }

    /// Does what no request waits for, until the task is cancelled; then ends what is under way. Cancel it when no request is in
    /// work any more.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await jobs.run() }
            group.addTask { await upkeep.run() }
            group.addTask { await news.run() }
            if let delivery { group.addTask { await delivery.run() } }
            for run in features.compactMap(\.run) { group.addTask { await run() } }
        }
        await responder.stop()
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
        answering.signInURL = SignInPage.url
        return answering
    }
}
