import Logging
import NIOCore
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The connections of one listener, from being accepted until they are closed.
final class AcceptedConnections: Sendable {
    private let open = Mutex<[ObjectIdentifier: any Channel]>([:])

    private var all: [any Channel] { open.withLock { Array($0.values) } }

    func add(_ connection: any Channel) {
        let key = ObjectIdentifier(connection)
        open.withLock { $0[key] = connection }
        connection.closeFuture.whenComplete { _ in self.open.withLock { $0[key] = nil } }
    }

    /// Waits for the socket to close, after which no connection is added; notifies all connections that they must end, and waits
    /// for them.
    func finish(behind socket: any Channel) async {
        await wait(for: socket)
        for connection in all { connection.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
        for connection in all { await wait(for: connection) }
    }

    func close() {
        for connection in all { connection.close(promise: nil) }
    }

    private func wait(for channel: any Channel) async {
        // An error describes how it ended; its handlers have dealt with it.
        _ = try? await channel.closeFuture.get()
    }
}

/// Registers the connections that a socket accepts, before they are set up. If the system refuses, because the process or the
/// machine is out of files or memory, it logs that and tries again a second later; connections wait in the backlog meanwhile.
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
        let code = (error as? IOError)?.errnoCode
        let hint =
            code == EMFILE || code == ENFILE
            ? ", because no more files may be open: raise the limit (LimitNOFILE, or ulimit -n), and start the server again"
            : ""
        logger.error("a connection could not be accepted\(hint)", metadata: ["error": "\(error)"])
        if error is IOError { pause(context.channel) }
    }

    /// The selector must not be polled meanwhile, which requires turning off `autoRead`. NIO's `AcceptBackoffHandler` only delays
    /// the next read: the selector reports the waiting connection again and again, and keeps a core busy.
    private func pause(_ socket: any Channel) {
        // A closed socket rejects the option, and does not need it.
        _ = socket.setOption(.autoRead, value: false)
        socket.eventLoop.scheduleTask(in: .seconds(1)) { _ = socket.setOption(.autoRead, value: true) }
    }
}
