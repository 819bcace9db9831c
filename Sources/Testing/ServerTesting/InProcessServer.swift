import Logging
import NephosAdmin
import NephosAssets
import NephosBackend
import NephosCommands
package import NephosDelivery
package import NephosRunner
package import NephosStorage
package import NephosTesting
import RequestTesting
import Synchronization
import TestEngines

/// A server in this process, configured as by `nephos serve`, but without sockets; and the command for its store, also in this
/// process.
///
/// Blocking tests need their own threads (``OwnThreads``), because the server's tasks need those shared by all tasks.
package final class InProcessServer: EngineBackedServer, LocalServer {
    package let command: NephosCommand
    package let port: Int
    package let administration: Administration
    private static let threads = OwnThreads(count: 32)
    private let backend: Backend
    private let clock: @Sendable () -> Milliseconds
    private let log: TestLog
    private let open = OpenExchanges()
    private let end: ServerEnd

    /// - Parameters:
    ///   - environment: Added to this process's environment, for the server and ``command``.
    ///   - store: The store; nil creates one, with the engine that the run tests.
    ///   - post: Sends deliveries.
    ///   - clock: The server's clock, in milliseconds since 1970.
    package init(
        environment: [String: String] = [:], store: TestStore? = nil, post: any Post = NoPost(),
        clock: @escaping @Sendable () -> Milliseconds = WallClock.now
    ) throws {
        let features = [Feature].ofProgram(post: post)
        let store = try store ?? .withTables(nil, features.tables)
        var command = NephosCommand(store, runner: InProcessCommand.run)
        command.environment.merge(environment) { _, new in new }
        self.command = command
        self.clock = clock
        port = LocalServers.freePort()
        var configuration = BackendConfiguration()
        configuration.isLocal = true
        try configuration.apply(environment: environment)
        let log = TestLog()
        self.log = log
        let engine = try store.open(tables: features.tables)
        administration = Administration(engine: engine, clock: clock)
        let files = environment["NEPHOS_ASSETS"] ?? "\(store.data)/assets"
        let backend = Backend(
            configuration, runner: Runner(engine: engine), files: try DiskAssetStore(folder: files),
            features: try features.prepared(for: FeatureSettings(environment: environment, isLocal: true)),
            threads: Backend.Threads(waiting: Self.threads, files: Self.threads, apart: Self.threads),
            logger: Logger(label: "nephos") { _ in TestLogHandler(log: log) }, clock: clock)
        self.backend = backend
        let running = Task { await backend.run() }
        end = ServerEnd(log, port: port, command) { [port, open] in
            LocalServers.remove(port: port)
            open.stop()
            running.cancel()
            await running.value
            engine.close()
        }
        LocalServers.add(self, port: port)
        IssuedSecrets.link(port: port, to: store.data)
    }

    deinit { end.begin() }

    package var logText: String { log.text }
    package func log(after place: Int) -> (text: String, place: Int) { log.text(after: place) }

    package func begin(_ request: HTTPRequest) -> any LocalAnswer {
        let exchange = LocalExchange(
            backend.responder, threads: Self.threads, isHEAD: request.method == "HEAD",
            failed: { [log] error, id in log.add("unforeseen error \(id): \(error)") })
        open.add(exchange)
        exchange.begin(request, at: clock(), origin: "http://127.0.0.1:\(port)")
        return exchange
    }

    /// Ends it like SIGTERM: waiting clients receive a response, and pending work is written. Call it on ``OwnThreads``.
    @discardableResult package func stop(within seconds: Double) throws -> ProcessEnd? {
        end.wait()
        return .exited(0)
    }
}

/// The open exchanges of a server.
private final class OpenExchanges: Sendable {
    private struct Weak { weak var exchange: LocalExchange? }

    private let all = Mutex<[Weak]>([])

    func add(_ exchange: LocalExchange) {
        all.withLock { all in
            all.removeAll { $0.exchange == nil }
            all.append(Weak(exchange: exchange))
        }
    }

    func stop() { for open in all.withLock({ $0 }) { open.exchange?.stop() } }
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
