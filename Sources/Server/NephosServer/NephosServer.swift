import Logging
import Metrics
import NIOCore
import NIOPosix
package import NephosAssets
package import NephosBackend
import NephosEndpoints
import NephosHTTP
import NephosNetwork
package import NephosRunner
package import NephosStorage
import ServiceLifecycle
import UnixSignals

/// A running server: a ``Backend`` behind sockets, with threads, logs, metrics and signals.
package struct NephosServer: Sendable {
    package let configuration: ServerConfiguration
    private let engine: any StorageEngine
    private let files: any AssetStore
    private let http: any OutgoingHTTP
    private let mail: any OutgoingMail
    private let features: [Feature.Serving]
    private let metrics: PrometheusMetrics
    private let logOutput: @Sendable ([UInt8]) -> Void

    /// - Parameters:
    ///   - engine: The caller closes it after ``run(onListening:)``.
    ///   - files: The files of assets.
    ///   - http: Requests of features to other servers.
    ///   - mail: The transport for mails.
    ///   - features: The services of the features that the engine was opened with.
    ///   - metrics: The metrics at `/metrics`. Also pass it to `MetricsSystem.bootstrap`, so that other modules can count.
    ///   - logOutput: The output for log lines; standard error by default. May block.
    package init(
        configuration: ServerConfiguration, engine: any StorageEngine, files: any AssetStore,
        http: any OutgoingHTTP = NoOutgoingHTTP(), mail: any OutgoingMail = NoOutgoingMail(),
        features: [Feature.Serving] = [],
        metrics: PrometheusMetrics = PrometheusMetrics(),
        logOutput: @escaping @Sendable ([UInt8]) -> Void = StandardError.write
    ) {
        self.configuration = configuration
        self.engine = engine
        self.files = files
        (self.http, self.mail) = (http, mail)
        self.features = features
        self.metrics = metrics
        self.logOutput = logOutput
    }

    /// Serves until SIGTERM or SIGINT, or until the task is cancelled; then completes running requests, for at most
    /// ``HTTPLimits/shutdownMilliseconds``.
    ///
    /// - Parameter onListening: Called once with the port, when connections are accepted.
    /// - Throws: The errors of binding the address.
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
        // Info messages of libraries have values inside their texts; the relevant events are logged here instead.
        let libraryLogger = makeLogger("libraries", max(configuration.logLevel, .notice), sink)
        let backend = backend(threads, fileThreads, logger)
        let transport = transport(backend.responder, group, threads, fileThreads, sink, limits(logger), logger)
        let own = HostAndPort(host: configuration.host, port: configuration.port)
        let server = listener(at: own, transport, group, libraryLogger) { port in
            logger.info("listening", metadata: ["host": "\(configuration.host)", "port": "\(port)"])
            await onListening(port)
        }
        let monitoring = configuration.monitorAddress.map { address -> any Service in
            let transport = Transport(
                limits: configuration.http, responder: MonitorResponder(monitor: backend.monitor),
                observer: observer(sink), threads: threads, group: group)
            return listener(at: address, transport, group, libraryLogger) { port in
                logger.info("monitoring", metadata: ["host": "\(address.host)", "port": "\(port)"])
            }
        }
        // Background work is stopped last, when no request is being processed any more.
        let clock = engine.readsWait ? [StoreClock(engine: engine, threads: threads)] : []
        let services: [any Service] =
            clock + [BackgroundWork(backend: backend)] + [monitoring].compactMap(\.self) + [server]
        var plan = ServiceGroupConfiguration(
            services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: libraryLogger)
        // Connections end in time by themselves; this covers those that do not.
        plan.maximumGracefulShutdownDuration = .milliseconds(configuration.http.shutdownMilliseconds + 2_000)
        try await ServiceGroup(configuration: plan).run()
        logger.info("stopped")
    }

    private func listener(
        at address: HostAndPort, _ transport: Transport, _ group: MultiThreadedEventLoopGroup, _ logger: Logger,
        _ onListening: @escaping @Sendable (Int) async -> Void
    ) -> any Service {
        Listener(at: address, transport: transport, group: group, logger: logger, onListening: onListening)
    }

    private func backend(
        _ threads: NIOThreadPool, _ fileThreads: NIOThreadPool, _ logger: Logger
    ) -> Backend {
        var settings = configuration.backend
        settings.unrecognizedBodyBytesMax = configuration.http.unrecognizedBodyBytesMax
        settings.monitorHost = configuration.monitorAddress?.host
        settings.openFilesMax = OpenFileLimit.raise() / 8
        settings.isLocal = configuration.isLocal
        let runner = Runner(engine: engine)
        runner.outage.listen { $0.log(logger) }
        return Backend(
            settings, runner: runner, files: files, http: http, mail: mail, features: features,
            threads: Backend.Threads(waiting: threads, files: fileThreads, apart: .ofProcess), metrics: metrics,
            hasMonitor: configuration.monitorAddress == nil, logger: logger)
    }

    private func observer(_ sink: LogSink) -> RequestObserver {
        RequestObserver(sink: sink, level: configuration.logLevel, meter: RequestMeter(factory: metrics))
    }

    private func makeLogger(_ label: String, _ level: LogLevel, _ sink: LogSink) -> Logger {
        Logger(label: label) { JSONLogHandler(label: $0, level: level, sink: sink) }
    }

    /// The limits, with the number of connections reduced so that a quarter of the open files is left for assets and the storage
    /// engine. Without any, no connection could be accepted, not even to refuse it.
    private func limits(_ logger: Logger) -> HTTPLimits {
        var limits = configuration.http
        let connections = OpenFileLimit.raise() / 4 * 3
        if connections < limits.connectionsMax {
            limits.connectionsMax = connections
            logger.notice(
                "fewer connections, because the system allows few open files",
                metadata: ["connectionsMax": "\(connections)"])
        }
        return limits
    }

    private func transport(
        _ responder: any Responder, _ group: MultiThreadedEventLoopGroup, _ threads: NIOThreadPool,
        _ fileThreads: NIOThreadPool, _ sink: LogSink, _ limits: HTTPLimits, _ logger: Logger
    ) -> Transport {
        var clients = ClientRules(
            trustedProxies: configuration.trustedProxies,
            // To any other server a proxy that is not named could make all clients look like this machine.
            unlimited: configuration.isLocal ? AddressBlock.loopback : [])
        if configuration.isLocal {
            clients.onUnnamedProxy = {
                logger.warning(
                    """
                    a proxy passes on requests: all of its clients share the limits of one, and get no mails with links, until it \
                    is named by --trusted-proxy, and the URL that they use by --public-url
                    """)
            }
        }
        let answering: any Responder = configuration.bench ? BenchResponder(next: responder) : responder
        let transport = Transport(
            limits: limits, responder: answering, observer: observer(sink), threads: threads, fileThreads: fileThreads,
            group: group, clients: clients, publicURL: configuration.backend.publicURL)
        metrics.sample("nephos_connections") { Double(transport.connections) }
        metrics.sample("nephos_buffered_bytes") { Double(transport.budget.bytes) }
        metrics.sample("nephos_buffered_bytes_max") { Double(transport.budget.bytesMax) }
        metrics.sample("process_resident_memory_bytes", ProcessFigures.residentBytes)
        metrics.sample("process_cpu_seconds_total", type: .counter, ProcessFigures.cpuSeconds)
        return transport
    }

    /// Runs a job after a moment, on a thread that may block.
    private func soon(
        on loop: any EventLoop, _ threads: NIOThreadPool
    ) -> @Sendable (@escaping @Sendable () -> Void) -> Void {
        { job in
            loop.scheduleTask(in: .milliseconds(50)) { threads.submit { _ in job() } }
        }
    }
}

/// Work that no request waits for, until the server stops.
private struct BackgroundWork: Service {
    let backend: Backend

    func run() async throws { await cancelWhenGracefulShutdown { await backend.run() } }
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
