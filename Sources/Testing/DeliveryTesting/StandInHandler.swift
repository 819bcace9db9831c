import NIOCore
import NIOHTTP1

/// Answers the requests of one HTTP/1.1 connection, or the request of one HTTP/2 stream, as scripted.
final class StandInHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let log: StandInLog
    private let number: Int
    /// The connection itself, which is not the stream's channel with HTTP/2.
    private let connection: any Channel
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(log: StandInLog, number: Int, connection: any Channel) {
        self.log = log
        self.number = number
        self.connection = connection
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = []
        case .body(let part): body += part.readableBytesView
        case .end:
            guard let head else { return }
            let request = RecordedRequest(
                connection: number, httpVersion: "\(head.version.major).\(head.version.minor)",
                method: head.method.rawValue, path: head.uri, headers: head.headers.map { ($0.name, $0.value) },
                body: body)
            answer(log.received(request), version: head.version, context: context)
        }
    }

    /// Tests cut connections deliberately.
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func answer(_ answer: ScriptedAnswer, version: HTTPVersion, context: ChannelHandlerContext) {
        for _ in 0..<answer.interim { context.write(wrapOutboundOut(Self.interim(version)), promise: nil) }
        switch answer.ending {
        case .hang: break
        case .cut: connection.close(promise: nil)
        case .complete:
            writeHead(answer, version: version, length: answer.body.utf8.count, context: context)
            // An empty part would become an empty DATA frame with HTTP/2, and with many concurrent streams some of them then hung.
            if !answer.body.isEmpty { write(answer.body, context: context) }
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        case .cutInBody, .hangInBody:
            writeHead(answer, version: version, length: 1_000, context: context)
            let part = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: #"{"reason":"#)))
            let flushed = context.writeAndFlush(wrapOutboundOut(part))
            guard case .cutInBody = answer.ending else { return }
            let connection = self.connection
            flushed.whenComplete { _ in connection.close(promise: nil) }
        case .endless:
            writeHead(answer, version: version, length: nil, context: context)
            let part = HTTPServerResponsePart.body(
                .byteBuffer(ByteBuffer(repeating: UInt8(ascii: " "), count: 16_384)))
            writeForEver(part, context: context)
        case .endlessInterim:
            writeForEver(Self.interim(version), context: context)
        }
    }

    private static func interim(_ version: HTTPVersion) -> HTTPServerResponsePart {
        .head(HTTPResponseHead(version: version, status: HTTPResponseStatus(statusCode: 103)))
    }

    private func writeHead(
        _ answer: ScriptedAnswer, version: HTTPVersion, length: Int?, context: ChannelHandlerContext
    ) {
        var headers = HTTPHeaders(answer.headers.map { ($0.name, $0.value) })
        if let length { headers.add(name: "content-length", value: String(length)) }
        let head = HTTPResponseHead(
            version: version, status: HTTPResponseStatus(statusCode: answer.status), headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
    }

    private func write(_ text: String, context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
    }

    /// The part is sent again when the socket has accepted it, unless the client is gone.
    private func writeForEver(_ part: HTTPServerResponsePart, context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, part, context), eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(part)).whenSuccess {
            // Not at once: then the loop would do nothing else, and never see that the client has gone.
            bound.eventLoop.scheduleTask(in: .milliseconds(1)) {
                let (handler, part, context) = bound.value
                handler.writeForEver(part, context: context)
            }
        }
    }
}
