import NIOCore
import NIOPosix
import NIOSSL
import NephosPost
import NephosRunner
import NephosStorage
import Synchronization

/// Delivers mails to servers, each over its own connection.
final class SMTPClient: Sendable {
    /// Timeouts for connecting, and for each reply. Many servers wait half a minute before they send a greeting, to detect clients that do not
    /// wait.
    struct SMTPTimeouts: Sendable {
        var connecting: TimeAmount = .seconds(20)
        var answering: TimeAmount = .seconds(60)
        /// For the whole delivery: shorter than ``MailFailure/deadline``.
        var all: TimeAmount = .seconds(200)
    }

    private let roots: [UInt8]
    private let timeouts: SMTPTimeouts
    private let context = Mutex<NIOSSLContext?>(nil)

    /// - Parameter roots: PEM certificates that are trusted in addition to the system's.
    init(roots: [UInt8], timeouts: SMTPTimeouts = SMTPTimeouts()) { (self.roots, self.timeouts) = (roots, timeouts) }

    /// - Returns: The server's reply when it accepted the mail.
    func send(_ mail: MailMessage, to server: MailServer) async throws(MailFailure) -> String {
        guard let sender = mail.sender else { throw MailFailure("a mail to a server needs a sender") }
        let dialog = SMTPDialog(ComposedMail(mail).bytes, from: sender.address, to: mail.address, using: server)
        do {
            let (loop, timeouts, tls) = (MultiThreadedEventLoopGroup.singleton.any(), timeouts, try tls(server))
            let promise = loop.makePromise(of: String.self)
            let deadline = loop.scheduleTask(in: timeouts.all) {
                promise.fail(MailFailure("the mail server did not answer in time"))
            }
            defer { deadline.cancel() }
            let connection = ClientBootstrap(group: loop).connectTimeout(timeouts.connecting)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        if server.encryption == .tls { try pipeline.addHandler(tls()) }
                        try pipeline.addHandler(
                            SMTPHandler(
                                dialog, isSecuring: server.encryption == .tls, makeTLS: tls,
                                timeout: timeouts.answering, promise: promise))
                    }
                }
                .connect(host: server.host, port: server.port)
            connection.whenFailure { promise.fail($0) }
            connection.whenSuccess { channel in
                promise.futureResult.whenComplete { _ in channel.close(promise: nil) }
            }
            return try await promise.futureResult.get()
        } catch let failure as MailFailure {
            throw failure
        } catch {
            throw MailFailure(
                "the mail server cannot be reached: \(ConnectionFailure.reason(of: error, reaching: server))")
        }
    }

    // MARK: TLS

    /// The certificate must be valid for the server's name or address, and issued by an authority that this machine trusts.
    private func tls(_ server: MailServer) throws -> @Sendable () throws -> NIOSSLClientHandler {
        guard server.encryption != .none else { return { throw MailFailure("TLS is not set up for this mail server") } }
        let made = try context.withLock { context in
            let made = try context ?? NIOSSLContext(configuration: ClientTLS.configuration(roots: roots))
            context = made
            return made
        }
        let isAddress = (try? SocketAddress(ipAddress: server.host, port: server.port)) != nil
        let name = isAddress ? nil : server.host
        return { try NIOSSLClientHandler(context: made, serverHostname: name) }
    }
}
