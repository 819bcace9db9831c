package import Logging
package import NIOCore
import NIOPosix
package import NephosNetwork
import ServiceLifecycle

/// Accepts connections at one address and passes them to a transport.
///
/// When the service group stops, the address is immediately free for another server; every connection is notified, and ends
/// within ``HTTPLimits/shutdownMilliseconds``. When the task is cancelled they are closed without waiting.
package struct Listener: Service {
    /// The maximum number of connections that the system queues for being accepted.
    private static let backlog: Int32 = 1_024

    private let address: HostAndPort
    private let transport: Transport
    private let group: any EventLoopGroup
    private let logger: Logger
    private let onListening: @Sendable (Int) async -> Void

    /// - Parameters:
    ///   - address: With port 0 the system chooses one.
    ///   - group: The event loops of the transport.
    ///   - onListening: Called once with the port, when connections are accepted.
    package init(
        at address: HostAndPort, transport: Transport, group: any EventLoopGroup, logger: Logger,
        onListening: @escaping @Sendable (Int) async -> Void
    ) {
        self.address = address
        self.transport = transport
        self.group = group
        self.logger = logger
        self.onListening = onListening
    }

    /// Returns when the last connection has ended. If the system stops accepting connections at the socket, it is closed, and
    /// this ends like a stop.
    ///
    /// - Throws: The errors of resolving and binding the address; system errors as `IOError`.
    package func run() async throws {
        let connections = AcceptedConnections()
        let socket = try await bootstrap(connections).bind(host: address.host, port: address.port).get()
        await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                await onListening(socket.localAddress?.port ?? address.port)
                await connections.finish(behind: socket)
            } onGracefulShutdown: {
                socket.close(promise: nil)
            }
        } onCancel: {
            socket.close().whenComplete { _ in connections.close() }
        }
    }

    private func bootstrap(_ connections: AcceptedConnections) -> ServerBootstrap {
        ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: Self.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { socket in
                socket.eventLoop.makeCompletedFuture {
                    try socket.pipeline.syncOperations.addHandler(ConnectionRegister(connections, logger))
                }
            }
            .childChannelInitializer { transport.setUp($0, logger) }
    }
}
