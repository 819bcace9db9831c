import NIOCore
import NIOSSL
import NIOTLS
import NephosRunner

/// Runs an SMTP dialog over a connection. All of it happens on the connection's event loop, so that bytes received before TLS started are
/// not mistaken for later ones.
final class SMTPHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var dialog: SMTPDialog
    private var reader = SMTPReplyReader()
    private let makeTLS: () throws -> NIOSSLClientHandler
    private let timeout: TimeAmount
    private var promise: EventLoopPromise<String>?
    private var timer: Scheduled<Void>?
    private var isSecuring: Bool

    /// - Parameters:
    ///   - isSecuring: TLS starts with the connection.
    ///   - makeTLS: Creates the handler for TLS.
    ///   - timeout: The timeout for each reply.
    ///   - promise: Completed once, with the result.
    init(
        _ dialog: SMTPDialog, isSecuring: Bool, makeTLS: @escaping () throws -> NIOSSLClientHandler,
        timeout: TimeAmount, promise: EventLoopPromise<String>
    ) {
        (self.dialog, self.isSecuring, self.makeTLS) = (dialog, isSecuring, makeTLS)
        (self.timeout, self.promise) = (timeout, promise)
    }

    func channelActive(context: ChannelHandlerContext) {
        // This machine may have no name of its own.
        switch context.localAddress {
        case .v4?: dialog.name = "[\(context.localAddress?.ipAddress ?? "127.0.0.1")]"
        case .v6?: dialog.name = "[IPv6:\(context.localAddress?.ipAddress ?? "::1")]"
        default: break
        }
        wait(context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard promise != nil else { return }
        do throws(MailFailure) {
            try reader.take(unwrapInboundIn(data).readableBytesView)
            guard let reply = try reader.next() else { return }
            guard reader.isEmpty else { throw MailFailure("the mail server sent an unexpected reply") }
            go(on: try dialog.next(after: reply), context)
        } catch { end(.failure(error), context) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent, isSecuring {
            isSecuring = false
            // If TLS started with the connection, the server speaks first.
            if hasAsked { go(on: dialog.secured(), context) } else { wait(context) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(.failure(MailFailure("the mail server closed the connection")), context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let what = isSecuring ? "TLS with the mail server failed" : "the connection to the mail server failed"
        end(.failure(MailFailure("\(what): \(ConnectionFailure.reason(of: error))")), context)
    }

    // MARK: Steps

    /// Whether TLS was started by a command.
    private var hasAsked = false

    private func go(on step: SMTPDialog.Step, _ context: ChannelHandlerContext) {
        switch step {
        case .send(let bytes):
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
            wait(context)
        case .secure: secure(context)
        case .done(let reply):
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "QUIT\r\n")), promise: nil)
            end(.success(reply), context)
        }
    }

    private func secure(_ context: ChannelHandlerContext) {
        (isSecuring, hasAsked) = (true, true)
        do { try context.pipeline.syncOperations.addHandler(makeTLS(), position: .first) } catch {
            return end(
                .failure(MailFailure("TLS with the mail server failed: \(ConnectionFailure.reason(of: error))")),
                context)
        }
        wait(context)
    }

    /// Starts the timeout for the server's next reply.
    private func wait(_ context: ChannelHandlerContext) {
        timer?.cancel()
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(in: timeout) {
            let (handler, context) = bound.value
            handler.end(.failure(MailFailure("the mail server did not answer in time")), context)
        }
    }

    private func end(_ result: Result<String, MailFailure>, _ context: ChannelHandlerContext) {
        timer?.cancel()
        guard let promise else { return }
        self.promise = nil
        promise.completeWith(result.mapError { $0 as any Error })
        context.close(promise: nil)
    }
}
