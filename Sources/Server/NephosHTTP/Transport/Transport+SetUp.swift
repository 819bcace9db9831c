import Logging
import NIOCore
import NIOHTTP1
import NephosRunner

extension Transport {
    /// Makes a connection of what a listener accepted. What cannot be set up is logged and closed.
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
            // Whoever accepted it closes it; without handlers it would stay open and answer nothing.
            logger.error("a connection could not be set up", metadata: ["error": "\(error)"])
        }
        return isSetUp
    }

    /// - A client that has sent all it will may still wait for its answers.
    /// - An answer is sent when it is written, however small it is.
    /// - One small read at a time: a connection that is given no bytes to decode buffers no more than one of them.
    private func setOptions(of channel: any Channel) throws {
        guard let options = channel.syncOptions else { return }
        try options.setOption(.allowRemoteHalfClosure, value: true)
        try options.setOption(.tcpOption(.tcp_nodelay), value: 1)
        try options.setOption(.maxMessagesPerRead, value: 1)
        try options.setOption(
            .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 1_024, initial: 2_048, maximum: 16_384))
    }

    /// What the decoder may buffer of an unfinished head. ``Connection`` checks the exact limits when it is whole.
    private var decoderLimits: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = max(self.limits.targetBytesMax, self.limits.headerBytesMax)
        limits.maxHeaderListSize = self.limits.targetBytesMax + self.limits.headerBytesMax
        limits.maxHeaderFieldCount = self.limits.headerCountMax
        return limits
    }
}
