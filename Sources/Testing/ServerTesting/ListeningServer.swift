package import NephosAdmin
import NephosAssets
package import NephosDelivery
import NephosRunner
import NephosServer
import NephosStorage
package import NephosTesting
import RequestTesting
import Synchronization
import TestEngines

/// A server in this process that listens on a port, for clients that speak HTTP themselves.
package final class ListeningServer: MakingServer {
    package let command: NephosCommand
    package let port: Int
    package let administration: Administration
    private let engine: any StorageEngine
    private let running: Task<Void, any Error>
    private let log: TestLog
    private let isStopped = Mutex(false)

    /// - Parameters:
    ///   - environment: Set on top of this process's environment, for the server and ``command``.
    ///   - store: Where the data is; nil makes a place for it, with the engine that the run is about.
    ///   - post: How deliveries leave.
    package init(
        environment: [String: String] = [:], store: TestStore? = nil, post: any Post = NoPost()
    ) throws {
        let store = try store ?? TestStore()
        var command = NephosCommand(store, runner: InProcessCommand.run)
        command.environment.merge(environment) { _, new in new }
        self.command = command
        engine = try store.open()
        administration = Administration(engine: engine, clock: WallClock.now)
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.eventLoops = 1
        configuration.logLevel = .trace
        try configuration.apply(environment: environment)
        let log = TestLog()
        self.log = log
        let server = NephosServer(
            configuration: configuration, engine: engine,
            files: try DiskAssetStore(folder: environment["NEPHOS_ASSETS"] ?? "\(store.data)/assets"), post: post,
            logOutput: { log.add(String(decoding: $0, as: UTF8.self)) })
        let ports = AsyncStream<Int>.makeStream()
        let running = Task {
            defer { ports.continuation.finish() }
            try await server.run { ports.continuation.yield($0) }
        }
        self.running = running
        guard let port = blocking({ await ports.stream.first { _ in true } }) else {
            throw ServerDidNotStart(end: nil, log: log.text)
        }
        self.port = port
        IssuedSecrets.link(port: port, to: store.data)
    }

    /// As ``InProcessServer`` does.
    deinit {
        guard let end = endOnce() else { return }
        Task { await end() }
    }

    package var logText: String { log.text }

    /// For ``OwnThreads``.
    @discardableResult package func stop(within seconds: Double) throws -> ProcessEnd? {
        if let end = endOnce() { blocking(end) }
        return .exited(0)
    }

    private func endOnce() -> (@Sendable () async -> Void)? {
        let isFirst = isStopped.withLock { isStopped in
            defer { isStopped = true }
            return !isStopped
        }
        guard isFirst else { return nil }
        return { [running, engine, log, port, command] in
            running.cancel()
            _ = await running.result
            engine.close()
            IssuedSecrets.look(log: log.text, port: port, store: command.store, data: command.data)
        }
    }
}
