import NIOCore
import NIOHTTP1
import NIOHTTP2

/// Ends a request whose server sends interim responses (1xx) and no other, which the client would read until its deadline.
final class InterimLimit: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    /// More than any server sends before a response: one 100, and some 102 or 103.
    static let most = 16

    private var count = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) {
            count = (100..<200).contains(head.status.code) ? count + 1 : 0
            guard count <= Self.most else {
                context.fireErrorCaught(PostFailure.interimResponses)
                return context.close(promise: nil)
            }
        }
        context.fireChannelRead(data)
    }
}

extension InterimLimit {
    /// Adds it to a connection of HTTP/1.1, after the client has added the decoder of responses.
    static func add(toConnection channel: any Channel) -> EventLoopFuture<Void> {
        add(to: channel, after: ByteToMessageHandler<HTTPResponseDecoder>.self)
    }

    /// The same for a stream of HTTP/2.
    static func add(toStream channel: any Channel) -> EventLoopFuture<Void> {
        add(to: channel, after: HTTP2FramePayloadToHTTP1ClientCodec.self)
    }

    private static func add<Decoder: ChannelHandler & SendableMetatype>(
        to channel: any Channel, after _: Decoder.Type
    ) -> EventLoopFuture<Void> {
        channel.eventLoop.submit {
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: Decoder.self)
            try pipeline.addHandler(InterimLimit(), position: .after(decoder))
        }
    }
}
