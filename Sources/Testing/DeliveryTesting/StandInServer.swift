import NIOCore
import NIOPosix
import Synchronization

/// A listening socket on 127.0.0.1, and its accepted connections.
final class StandInServer: Sendable {
    let log: StandInLog
    /// Chosen by the system.
    let port: Int
    private let listener: any Channel
    private let connections: Connections

    /// - Parameter configure: Configures the pipeline of a new connection, whose number is the second argument.
    init(
        log: StandInLog, configure: @escaping @Sendable (any Channel, Int) -> EventLoopFuture<Void>
    ) async throws {
        let connections = Connections()
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                connections.add(channel)
                return configure(channel, log.connected())
            }
        listener = try await bootstrap.bind(host: "127.0.0.1", port: 0).get()
        guard let port = listener.localAddress?.port else { throw ChannelError.unknownLocalAddress }
        self.port = port
        self.log = log
        self.connections = connections
    }

    /// Stops listening and closes all connections.
    func stop() async {
        // It may already be closed, and then nothing is left to do.
        try? await listener.close()
        for channel in connections.all { try? await channel.close() }
    }
}

/// The open connections.
private final class Connections: Sendable {
    private let open = Mutex<[ObjectIdentifier: any Channel]>([:])

    var all: [any Channel] { open.withLock { Array($0.values) } }

    func add(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        open.withLock { $0[id] = channel }
        channel.closeFuture.whenComplete { _ in self.open.withLock { $0[id] = nil } }
    }
}
