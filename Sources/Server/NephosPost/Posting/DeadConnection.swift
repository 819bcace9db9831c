import NIOCore

/// Detects connections whose other end vanished silently, as with a NAT that dropped their state.
///
/// One HTTP/2 connection carries all pushes. Without this, everything sent over a dead one would time out until the system stops
/// retransmitting, after about a quarter of an hour.
enum DeadConnection {
    /// How long sent bytes may stay unacknowledged before the system closes the connection.
    static let milliseconds = 20_000

    /// Sets the limit on a connection; does nothing if the system has no such option.
    static func limit(_ channel: any Channel) -> EventLoopFuture<Void> {
        #if os(Linux)
            channel.setOption(option, value: milliseconds)
        #else
            channel.eventLoop.makeSucceededVoidFuture()
        #endif
    }

    #if os(Linux)
        /// `TCP_USER_TIMEOUT` of tcp(7).
        static let option = ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: 18))
    #endif
}
