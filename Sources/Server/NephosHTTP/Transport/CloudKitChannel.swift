import HummingbirdCore
package import Logging
package import NIOCore
import NIOHTTP1
import NephosEndpoints

/// Our own channel for Hummingbird's `Server`: Hummingbird binds, accepts and stops; bytes, limits and answers are ours.
package struct CloudKitChannel: ServerChildChannel {
    /// A connection, as far as Hummingbird knows it.
    package struct Value: ServerChildChannelValue {
        package let channel: any Channel
    }

    private let transport: Transport

    package init(_ transport: Transport) { self.transport = transport }

    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let value = channel.eventLoop.makeCompletedFuture {
            guard let loop = transport.loop(of: channel.eventLoop) else {
                throw ChannelError.inappropriateOperationForState
            }
            try setOptions(of: channel)
            let connection = Connection(transport: transport, loop: loop)
            let gate = RequestGate(connection)
            connection.gate = gate
            let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: decoderLimits)
            try channel.pipeline.syncOperations.addHandlers([gate, ByteToMessageHandler(decoder), connection])
            return Value(channel: channel)
        }
        value.whenFailure { error in
            // Without handlers it would stay open and answer nothing.
            logger.error("a connection could not be set up", metadata: ["error": "\(error)"])
            channel.close(promise: nil)
        }
        return value
    }

    /// Waits for the connection to end. All work is done by its handlers; cancelling closes it.
    package func handle(value: Value, logger: Logger) async {
        await withTaskCancellationHandler {
            // An error says how the connection ended, which its handlers have dealt with.
            _ = try? await value.channel.closeFuture.get()
        } onCancel: {
            value.channel.close(promise: nil)
        }
    }

    /// One small read at a time: a connection that is given no bytes to decode buffers no more than one of them.
    private func setOptions(of channel: any Channel) throws {
        guard let options = channel.syncOptions else { return }
        try options.setOption(.maxMessagesPerRead, value: 1)
        try options.setOption(
            .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 1_024, initial: 2_048, maximum: 16_384))
        try options.setOption(.tcpOption(.tcp_nodelay), value: 1)
    }

    /// What the decoder may buffer of an unfinished head. ``Connection`` checks the exact limits when it is whole.
    private var decoderLimits: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = max(transport.limits.targetBytesMax, transport.limits.headerBytesMax)
        limits.maxHeaderListSize = transport.limits.targetBytesMax + transport.limits.headerBytesMax
        limits.maxHeaderFieldCount = transport.limits.headerCountMax
        return limits
    }
}
