import Logging
import NIOCore
import Synchronization

/// The connections of one listener, from when they are accepted until they are closed.
final class AcceptedConnections: Sendable {
    private let open = Mutex<[ObjectIdentifier: any Channel]>([:])

    private var all: [any Channel] { open.withLock { Array($0.values) } }

    func add(_ connection: any Channel) {
        let key = ObjectIdentifier(connection)
        open.withLock { $0[key] = connection }
        connection.closeFuture.whenComplete { _ in self.open.withLock { $0[key] = nil } }
    }

    /// Waits for the socket to be closed, behind which no connection is added; tells all that they are to end, and waits
    /// for that.
    func finish(behind socket: any Channel) async {
        await wait(for: socket)
        for connection in all { connection.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
        for connection in all { await wait(for: connection) }
    }

    func close() {
        for connection in all { connection.close(promise: nil) }
    }

    private func wait(for channel: any Channel) async {
        // An error says how it ended, which its handlers have dealt with.
        _ = try? await channel.closeFuture.get()
    }
}

/// Notes what a socket accepts, before it is set up. Where the system refuses, since the process or the machine has no file or no
/// memory left, it logs that and asks again a second later; connections wait at the system meanwhile.
final class ConnectionRegister: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private let connections: AcceptedConnections
    private let logger: Logger

    init(_ connections: AcceptedConnections, _ logger: Logger) {
        self.connections = connections
        self.logger = logger
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        connections.add(unwrapInboundIn(data))
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        logger.error("a connection could not be accepted", metadata: ["error": "\(error)"])
        if error is IOError { pause(context.channel) }
    }

    /// The selector must not be asked meanwhile, which only turning off `autoRead` does. NIO's `AcceptBackoffHandler` delays the
    /// next read alone: the selector says again and again that somebody waits, and keeps a core busy.
    private func pause(_ socket: any Channel) {
        // A socket that was closed refuses the option, and needs none.
        _ = socket.setOption(.autoRead, value: false)
        socket.eventLoop.scheduleTask(in: .seconds(1)) { _ = socket.setOption(.autoRead, value: true) }
    }
}
