import HummingbirdCore
import Logging
import Metrics
import NIOCore
import NIOPosix
package import NephosAssets
package import NephosDelivery
import NephosDomain
package import NephosEndpoints
import NephosHTTP
import NephosNetwork
package import NephosRunner
import NephosStorage
import ServiceLifecycle
import UnixSignals

/// A running server, put together from its configuration: threads, transport, pages, background work, signals.
package struct NephosServer: Sendable {
    package let configuration: ServerConfiguration
    private let runner: Runner
    private let responder: any Responder
    private let metrics: PrometheusMetrics
    private let unheld: UnheldCounts
    private let delivery: DeliveryService?
    private let files: (any AssetStore)?
    private let logOutput: @Sendable ([UInt8]) -> Void

    /// - Parameters:
    ///   - runner: The way to the engine, which is asked by `/healthz`, and kept up; of outages this writes to the log, and the
    ///     use of credentials to the store. Give it to the responder too. Closing the engine after ``run(onListening:)`` is
    ///     the caller's business.
    ///   - responder: Answers everything but the pages.
    ///   - metrics: What `/metrics` shows. Give it to `MetricsSystem.bootstrap` too, so that other rooms can count.
    ///   - unheld: How much no record holds. Give it to the responder too.
    ///   - delivery: Tells devices of changes while the server runs. Give its desk to the responder.
    ///   - files: Those of assets; nil takes and sends none.
    ///   - logOutput: Where log lines go; standard error by default. May wait.
    package init(
        configuration: ServerConfiguration, runner: Runner, responder: any Responder,
        metrics: PrometheusMetrics = PrometheusMetrics(), unheld: UnheldCounts = UnheldCounts(),
        delivery: DeliveryService? = nil, files: (any AssetStore)? = nil,
        logOutput: @escaping @Sendable ([UInt8]) -> Void = StandardError.write
    ) {
        self.configuration = configuration
        self.runner = runner
        self.responder = responder
        self.metrics = metrics
        self.unheld = unheld
        self.delivery = delivery
        self.files = files
        self.logOutput = logOutput
    }

    /// Serves until SIGTERM or SIGINT, or until the task is cancelled; then finishes what is in flight, for
    /// ``HTTPLimits/shutdownMilliseconds`` at most.
    ///
    /// - Parameter onListening: Called once with the port, when connections are accepted.
    /// - Throws: What binding the address throws.
    package func run(onListening: @escaping @Sendable (Int) async -> Void = { _ in }) async throws {
        Memory.returnLargeBlocks()
        let group = MultiThreadedEventLoopGroup(numberOfThreads: configuration.eventLoops ?? System.coreCount)
        let threads = NIOThreadPool(numberOfThreads: configuration.waitingThreads)
        let fileThreads = NIOThreadPool(numberOfThreads: configuration.fileThreads)
        threads.start()
        fileThreads.start()
        let sink = LogSink(later: soon(on: group.any(), threads), write: logOutput)
        let result: Result<Void, any Error>
        do {
            try await serve(group, threads, fileThreads, sink, onListening)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await responder.stop()
        sink.flush()
        try await fileThreads.shutdownGracefully()
        try await threads.shutdownGracefully()
        try await group.shutdownGracefully()
        try result.get()
    }

    private func serve(
        _ group: MultiThreadedEventLoopGroup, _ threads: NIOThreadPool, _ fileThreads: NIOThreadPool, _ sink: LogSink,
        _ onListening: @escaping @Sendable (Int) async -> Void
    ) async throws {
        let logger = makeLogger("nephos", configuration.logLevel, sink)
        // What libraries say at info has values inside its messages; what matters of it is said here.
        let libraryLogger = makeLogger("libraries", max(configuration.logLevel, .notice), sink)
        runner.outage.listen { $0.log(logger) }
        let monitor = monitor
        let transport = transport(group, threads, fileThreads, sink, limits(logger), monitor)
        let own = HostAndPort(host: configuration.host, port: configuration.port)
        let server = listener(at: own, transport, group, libraryLogger) { port in
            logger.info("listening", metadata: ["host": "\(configuration.host)", "port": "\(port)"])
            await onListening(port)
        }
        let monitoring = configuration.monitorAddress.map { address -> any Service in
            let transport = Transport(
                limits: configuration.http, responder: MonitorResponder(monitor: monitor),
                observer: observer(sink), threads: threads, group: group)
            return listener(at: address, transport, group, libraryLogger) { port in
                logger.info("monitoring", metadata: ["host": "\(address.host)", "port": "\(port)"])
            }
        }
        let upkeep = Upkeep(
            runner: runner, tombstoneDays: configuration.tombstoneDays, trashDays: configuration.trashDays,
            sweepEvery: .seconds(configuration.upkeepSeconds), files: files,
            threads: threads, fileThreads: fileThreads, logger: logger)
        delivery?.observer.listen { tenant, error in
            logger.error("telling devices failed", metadata: ["tenant": "\(tenant)", "error": "\(error)"])
        }
        let telling = delivery.map { [TellingDevices(delivery: $0) as any Service] } ?? []
        let services: [any Service] =
            telling + [upkeep] + [monitoring].compactMap(\.self) + [server] + benchServers(group, libraryLogger)
        var plan = ServiceGroupConfiguration(
            services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: libraryLogger)
        // Connections end themselves in time; this is for what does not.
        plan.maximumGracefulShutdownDuration = .milliseconds(configuration.http.shutdownMilliseconds + 2_000)
        try await ServiceGroup(configuration: plan).run()
        logger.info("stopped")
    }

    private func listener(
        at address: HostAndPort, _ transport: Transport, _ group: MultiThreadedEventLoopGroup, _ logger: Logger,
        _ onListening: @escaping @Sendable (Int) async -> Void
    ) -> any Service {
        HummingbirdCore.Server(
            childChannelSetup: CloudKitChannel(transport),
            configuration: HummingbirdCore.ServerConfiguration(
                address: .hostname(address.host, port: address.port), backlog: 1_024),
            onServerRunning: { await onListening($0.localAddress?.port ?? address.port) },
            eventLoopGroup: group, logger: logger)
    }

    private var monitor: Monitor {
        let (engine, outage, metrics) = (runner.engine, runner.outage, metrics)
        return Monitor(
            health: { try outage.watching { try engine.probe() } }, healthWaits: engine.readsWait, metrics: metrics.text
        )
    }

    private func observer(_ sink: LogSink) -> RequestObserver {
        RequestObserver(sink: sink, level: configuration.logLevel, meter: RequestMeter(factory: metrics))
    }

    private func makeLogger(_ label: String, _ level: LogLevel, _ sink: LogSink) -> Logger {
        Logger(label: label) { JSONLogHandler(label: $0, level: level, sink: sink) }
    }

    /// The limits, with as many connections as leave a quarter of the open files to assets and the storage engine. Without
    /// any no connection could be accepted, not even to be told that there are too many.
    private func limits(_ logger: Logger) -> HTTPLimits {
        var limits = configuration.http
        let connections = OpenFiles.raiseLimit() / 4 * 3
        if connections < limits.connectionsMax {
            limits.connectionsMax = connections
            logger.notice(
                "fewer connections, since the system allows few open files",
                metadata: ["connectionsMax": "\(connections)"])
        }
        return limits
    }

    private func transport(
        _ group: MultiThreadedEventLoopGroup, _ threads: NIOThreadPool, _ fileThreads: NIOThreadPool,
        _ sink: LogSink, _ limits: HTTPLimits, _ monitor: Monitor
    ) -> Transport {
        var answering = responder
        if let files {
            var limits = DomainLimits()
            limits.assetBytesMax = configuration.assetBytesMax
            limits.unheldFiles = configuration.unheldFiles
            answering = AssetResponder(
                runner: runner, files: files, threads: fileThreads, limits: limits, unheld: unheld,
                openFilesMax: OpenFiles.raiseLimit() / 8, next: responder)
        }
        let pages = PagesResponder(
            monitor: configuration.monitorAddress == nil ? monitor : nil,
            next: configuration.bench ? BenchResponder(next: answering) : answering)
        let transport = Transport(
            limits: limits, responder: pages, observer: observer(sink), threads: threads, fileThreads: fileThreads,
            group: group, clients: ClientRules(trustedProxies: configuration.trustedProxies))
        metrics.sample("nephos_connections") { Double(transport.connections) }
        metrics.sample("nephos_buffered_bytes") { Double(transport.budget.bytes) }
        metrics.sample("nephos_buffered_bytes_max") { Double(transport.budget.bytesMax) }
        metrics.sample("process_resident_memory_bytes", ProcessFigures.residentBytes)
        metrics.sample("process_cpu_seconds_total", type: .counter, ProcessFigures.cpuSeconds)
        return transport
    }

    /// Under `--bench` the empty route is also served by Hummingbird's own layers, on the next two ports.
    private func benchServers(_ group: any EventLoopGroup, _ logger: Logger) -> [any Service] {
        guard configuration.bench, configuration.port != 0 else { return [] }
        let (host, port) = (configuration.host, configuration.port)
        return [
            BenchServers.responder(host: host, port: port + 1, group: group, logger: logger),
            BenchServers.router(host: host, port: port + 2, group: group, logger: logger),
        ]
    }

    /// A moment later, on a thread that may wait.
    private func soon(
        on loop: any EventLoop, _ threads: NIOThreadPool
    ) -> @Sendable (@escaping @Sendable () -> Void) -> Void {
        { job in
            loop.scheduleTask(in: .milliseconds(50)) { threads.submit { _ in job() } }
        }
    }
}

/// Tells devices of changes until the server stops.
private struct TellingDevices: Service {
    let delivery: DeliveryService

    func run() async throws { await cancelWhenGracefulShutdown { await delivery.run() } }
}

extension StorageOutage.Event {
    fileprivate func log(_ logger: Logger) {
        switch self {
        case .began(let text): logger.error("the database cannot be reached", metadata: ["error": "\(text)"])
        case .ended(let length):
            logger.notice("the database can be reached again", metadata: ["seconds": "\(length.components.seconds)"])
        case .filled:
            logger.error(
                "the disk is full: free some space, or enlarge it; until then nothing is saved, and clients try again")
        case .hasRoom(let length):
            logger.notice("there is room on the disk again", metadata: ["seconds": "\(length.components.seconds)"])
        }
    }
}
