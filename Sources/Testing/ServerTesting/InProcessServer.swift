import Logging
package import NephosAdmin
import NephosAssets
import NephosBackend
import NephosCommands
package import NephosDelivery
import NephosEndpoints
import NephosRunner
package import NephosStorage
package import NephosTesting
import RequestTesting
import Synchronization
import TestEngines

/// A server in this process, put together as `nephos serve` does it, but for the sockets; and the command on its store, in this
/// process too.
///
/// Tests that block belong on threads of their own (``OwnThreads``): the server's tasks need those that all tasks share.
package final class InProcessServer: MakingServer, LocalServer {
    package let command: NephosCommand
    package let port: Int
    package let administration: Administration
    private let engine: any StorageEngine
    private static let threads = OwnThreads(count: 32)
    private let backend: Backend
    private let running: Task<Void, Never>
    private let clock: @Sendable () -> Milliseconds
    private let log: TestLog
    private let open = Mutex<[Weak]>([])
    private let isStopped = Mutex(false)

    private struct Weak { weak var exchange: LocalExchange? }

    /// - Parameters:
    ///   - environment: Set on top of this process's environment, for the server and ``command``.
    ///   - store: Where the data is; nil makes a place for it, with the engine that the run is about.
    ///   - post: How deliveries leave.
    ///   - clock: That of the server, in milliseconds since 1970.
    package init(
        environment: [String: String] = [:], store: TestStore? = nil, post: any Post = NoPost(),
        clock: @escaping @Sendable () -> Milliseconds = WallClock.now
    ) throws {
        let store = try store ?? TestStore()
        var command = NephosCommand(store, runner: InProcessCommand.run)
        command.environment.merge(environment) { _, new in new }
        self.command = command
        self.clock = clock
        port = LocalServers.freePort()
        var configuration = BackendConfiguration()
        try configuration.apply(environment: environment)
        let log = TestLog()
        self.log = log
        engine = try store.open()
        administration = Administration(engine: engine, clock: clock)
        let files = environment["NEPHOS_ASSETS"] ?? "\(store.data)/assets"
        let backend = Backend(
            configuration, runner: Runner(engine: engine), files: try DiskAssetStore(folder: files), post: post,
            threads: Backend.Threads(waiting: Self.threads, files: Self.threads, delivery: Self.threads),
            logger: Logger(label: "nephos") { _ in TestLogHandler(log: log) }, clock: clock)
        self.backend = backend
        running = Task { await backend.run() }
        LocalServers.add(self, port: port)
        IssuedSecrets.link(port: port, to: store.data)
    }

    /// Where nobody waits for its end it ends by itself: this may be a thread that its tasks need.
    deinit {
        guard let end = endOnce() else { return }
        Task { await end() }
    }

    package var logText: String { log.text }

    package func begin(_ request: HTTPRequest) -> any LocalAnswer {
        let exchange = LocalExchange(
            backend.responder, threads: Self.threads, isHEAD: request.method == "HEAD",
            failed: { [log] error, id in log.add("unforeseen error \(id): \(error)") })
        open.withLock { open in
            open.removeAll { $0.exchange == nil }
            open.append(Weak(exchange: exchange))
        }
        exchange.begin(request, at: clock(), origin: "http://127.0.0.1:\(port)")
        return exchange
    }

    /// Ends it as SIGTERM does: who waits is answered, and what was under way is written down. For ``OwnThreads``.
    @discardableResult package func stop(within seconds: Double) throws -> ProcessEnd? {
        if let end = endOnce() { blocking(end) }
        return .exited(0)
    }

    /// What is left to do at the end; nil where it was asked for before.
    private func endOnce() -> (@Sendable () async -> Void)? {
        let isFirst = isStopped.withLock { isStopped in
            defer { isStopped = true }
            return !isStopped
        }
        guard isFirst else { return nil }
        LocalServers.remove(port: port)
        for exchange in open.withLock({ $0 }) { exchange.exchange?.stop() }
        return { [running, engine, log, port, command] in
            running.cancel()
            await running.value
            engine.close()
            IssuedSecrets.look(log: log.text, port: port, store: command.store, data: command.data)
        }
    }
}

extension OwnThreads: WaitingThreads {
    package func perform(_ job: @escaping @Sendable (_ areRunning: Bool) -> Void) { add { job(true) } }
}

extension TestCloud {
    /// A cloud whose server is in this process (``InProcessServer``).
    package convenience init(
        inProcess environment: [String: String], store: TestStore? = nil, post: any Post = NoPost()
    ) throws {
        self.init(try InProcessServer(environment: environment, store: store, post: post))
    }
}
