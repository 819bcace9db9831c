import Logging
import NIOCore
import NIOHTTP1
import NephosRunner

extension Transport {
    /// Creates a connection for a channel that a listener accepted. A channel that cannot be set up is logged and closed.
    ///
    /// - Parameter channel: Of an event loop of this transport; call it there.
    func setUp(_ channel: any Channel, _ logger: Logger) -> EventLoopFuture<Void> {
        let isSetUp = channel.eventLoop.makeCompletedFuture {
            guard let loop = loop(of: channel.eventLoop) else { throw ChannelError.inappropriateOperationForState }
            try setOptions(of: channel)
            let connection = Connection(transport: self, loop: loop)
            let gate = RequestGate(connection)
            connection.gate = gate
            let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: decoderLimits)
            try channel.pipeline.syncOperations.addHandlers([gate, ByteToMessageHandler(decoder), connection])
        }
        isSetUp.whenFailure { error in
            // The listener closes it; without handlers it would stay open and send no response.
            logger.error("a connection could not be set up", metadata: ["error": "\(error)"])
        }
        return isSetUp
    }

    /// - A client that has closed its sending side may still wait for its responses.
    /// - A response is sent when it is written, however small it is.
    /// - One small read at a time: a connection that passes no bytes to the decoder buffers at most one read.
    private func setOptions(of channel: any Channel) throws {
        guard let options = channel.syncOptions else { return }
        try options.setOption(.allowRemoteHalfClosure, value: true)
        try options.setOption(.tcpOption(.tcp_nodelay), value: 1)
        try options.setOption(.maxMessagesPerRead, value: 1)
        try options.setOption(
            .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 1_024, initial: 2_048, maximum: 16_384))
    }

    /// How much of an unfinished head the decoder may buffer. ``Connection`` checks the exact limits when it is complete.
    private var decoderLimits: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = max(self.limits.targetBytesMax, self.limits.headerBytesMax)
        limits.maxHeaderListSize = self.limits.targetBytesMax + self.limits.headerBytesMax
        limits.maxHeaderFieldCount = self.limits.headerCountMax
        return limits
    }
}
