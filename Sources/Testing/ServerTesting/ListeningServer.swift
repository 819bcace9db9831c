import NephosAdmin
import NephosAssets
package import NephosDelivery
package import NephosRunner
import NephosServer
import NephosStorage
package import NephosTesting
import RequestTesting
import TestEngines

/// A server in this process that listens on a port, for clients that speak HTTP themselves. It has the time limits of
/// ``Patience/ofServers``.
package final class ListeningServer: EngineBackedServer {
    package let command: NephosCommand
    package let port: Int
    package let administration: Administration
    private let log: TestLog
    private let end: ServerEnd

    /// - Parameters:
    ///   - environment: Added to this process's environment, for the server and ``command``.
    ///   - store: The store; nil creates one, with the engine that the run tests.
    ///   - post: Sends deliveries.
    package init(
        environment: [String: String] = [:], store: TestStore? = nil, post: any Post = NoPost()
    ) throws {
        let features = [Feature].ofProgram(post: post)
        let store = try store ?? .withTables(nil, features.tables)
        var command = NephosCommand(store, runner: InProcessCommand.run)
        command.environment.merge(environment) { _, new in new }
        self.command = command
        let engine = try store.open(tables: features.tables)
        administration = Administration(engine: engine, clock: WallClock.now)
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.eventLoops = 1
        configuration.logLevel = .trace
        try configuration.apply(environment: Patience.ofServers.merging(environment) { $1 })
        let log = TestLog()
        self.log = log
        let server = NephosServer(
            configuration: configuration, engine: engine,
            files: try DiskAssetStore(folder: environment["NEPHOS_ASSETS"] ?? "\(store.data)/assets"),
            features: try features.prepared(
                for: FeatureSettings(environment: environment, isLocal: configuration.isLocal)),
            logOutput: { log.add(String(decoding: $0, as: UTF8.self)) })
        let ports = AsyncStream<Int>.makeStream()
        let running = Task {
            defer { ports.continuation.finish() }
            try await server.run { ports.continuation.yield($0) }
        }
        guard let port = blocking({ await ports.stream.first { _ in true } }) else {
            throw ServerDidNotStart(end: nil, log: log.text)
        }
        self.port = port
        end = ServerEnd(log, port: port, command) {
            running.cancel()
            _ = await running.result
            engine.close()
        }
        IssuedSecrets.link(port: port, to: store.data)
    }

    deinit { end.begin() }

    package var logText: String { log.text }
    package func log(after place: Int) -> (text: String, place: Int) { log.text(after: place) }

    /// Call it on ``OwnThreads``.
    @discardableResult package func stop(within seconds: Double) throws -> ProcessEnd? {
        end.wait()
        return .exited(0)
    }
}
