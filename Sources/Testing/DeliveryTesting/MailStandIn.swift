import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A stand-in for an SMTP server, on 127.0.0.1, which answers each command as specified by a test.
package final class MailStandIn: Sendable {
    /// When TLS begins.
    package enum Encryption: Sendable { case none, startTLS, tls }

    package enum Answer: Sendable {
        /// Lines end with CR and LF.
        case text(String)
        case silence
        case close
        /// Closes without the end that TLS prescribes.
        case cut
        /// Repeats the same text endlessly.
        case endless(String)
    }

    /// What the server received.
    package struct Received: Sendable {
        /// Each with whether TLS was active; for a mail only its arrival.
        package var commands: [(line: String, isSecure: Bool)] = []
        /// As received, with doubled dots and without the final dot.
        package var mails: [String] = []
        /// Number of connections.
        package var connections = 0
    }

    private let server: StandInServer
    private let certificate: TestCertificate
    private let notes: Notes

    package var port: Int { server.port }
    /// In PEM.
    package var roots: [UInt8] { Array(certificate.pem.utf8) }
    package var received: Received { notes.received.withLock { $0 } }

    /// - Parameters:
    ///   - host: The only name of its certificate; nil for localhost and 127.0.0.1.
    ///   - answers: By the beginning of a command, or `greeting` or `mail`; anything else is accepted.
    package init(_ encryption: Encryption = .none, host: String? = nil, answers: [String: Answer] = [:]) async throws {
        let certificate = try TestCertificate(host: host)
        let context = try NIOSSLContext(configuration: try certificate.serverConfiguration(speaksHTTP2: false))
        let notes = Notes()
        (self.certificate, self.notes) = (certificate, notes)
        server = try await StandInServer(log: StandInLog(script: []) { _ in ScriptedAnswer() }) { channel, _ in
            channel.eventLoop.makeCompletedFuture {
                notes.received.withLock { $0.connections += 1 }
                let pipeline = channel.pipeline.syncOperations
                if encryption == .tls { try pipeline.addHandler(NIOSSLServerHandler(context: context)) }
                try pipeline.addHandler(MailStandInHandler(encryption, context, answers, notes))
            }
        }
    }

    package func stop() async { await server.stop() }
}

/// State shared by the handlers of one server.
private final class Notes: Sendable {
    let received = Mutex(MailStandIn.Received())
}

private final class MailStandInHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let context: NIOSSLContext
    private let offersTLS: Bool
    private let answers: [String: MailStandIn.Answer]
    private let notes: Notes
    private var isSecure: Bool
    private var text = ""
    private var mail: [String]?

    init(
        _ encryption: MailStandIn.Encryption, _ context: NIOSSLContext, _ answers: [String: MailStandIn.Answer],
        _ notes: Notes
    ) {
        (isSecure, offersTLS) = (encryption == .tls, encryption == .startTLS)
        (self.context, self.answers, self.notes) = (context, answers, notes)
    }

    func channelActive(context: ChannelHandlerContext) {
        answer("greeting", "220 mail.example.org ready\r\n", context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        text += String(buffer: unwrapInboundIn(data))
        while let end = text.firstRange(of: "\r\n") {
            let line = String(text[..<end.lowerBound])
            text = String(text[end.upperBound...])
            take(line, context)
        }
    }

    /// TLS errors of clients that do not trust the server are irrelevant.
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func take(_ line: String, _ context: ChannelHandlerContext) {
        if let mail {
            guard line == "." else { return self.mail?.append(line) ?? () }
            self.mail = nil
            notes.received.withLock { $0.mails.append(mail.map { "\($0)\r\n" }.joined()) }
            return answer("mail", "250 2.0.0 queued as 4711\r\n", context)
        }
        notes.received.withLock { $0.commands.append((line, isSecure)) }
        let word = String(line.prefix { $0 != " " }).uppercased()
        switch word {
        case "EHLO":
            let lines =
                ["mail.example.org", "8BITMIME"] + (offersTLS && !isSecure ? ["STARTTLS"] : ["AUTH LOGIN PLAIN"])
            let last = lines.count - 1
            answer(word, lines.enumerated().map { "250\($0 == last ? " " : "-")\($1)\r\n" }.joined(), context)
        case "STARTTLS":
            answer(word, "220 go on\r\n", context)
            begin(context)
        case "AUTH": answer(line, line == "AUTH LOGIN" ? "334 VXNlcm5hbWU6\r\n" : "235 welcome\r\n", context)
        case "DATA":
            mail = []
            answer(word, "354 go on\r\n", context)
        case "QUIT":
            answer(word, "221 bye\r\n", context)
            context.close(promise: nil)
        default: answer(line, "250 fine\r\n", context)
        }
    }

    private func begin(_ context: ChannelHandlerContext) {
        isSecure = true
        do {
            try context.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: self.context), position: .first)
        } catch { context.close(promise: nil) }
    }

    private func answer(_ key: String, _ standard: String, _ context: ChannelHandlerContext) {
        switch answers.first(where: { key.hasPrefix($0.key) })?.value ?? .text(standard) {
        case .text(let text): context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
        case .silence: break
        case .close: context.close(promise: nil)
        case .cut:
            // Closing there does not reach the handler for TLS, which would send its end.
            let tls = try? context.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)
            (tls ?? context).close(promise: nil)
        case .endless(let text): repeatedly(String(repeating: text, count: 4_096), context)
        }
    }

    /// In a separate turn of the event loop. The socket's buffer fills up soon, so that the loop can do other work.
    private func again(_ text: String, _ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.execute { bound.value.0.repeatedly(text, bound.value.1) }
    }

    private func repeatedly(_ text: String, _ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text))).whenSuccess {
            let (handler, context) = bound.value
            handler.again(text, context)
        }
    }
}
