import DeliveryTesting
import Foundation
import NIOCore
import NephosRunner
import NephosStorage
import NephosTesting
import Testing

@testable import NephosMail

/// docs/mail.md, "Sending through a server", over loopback.
@Suite("Sending mail to a server") struct MailServerTests {
    /// For servers that do not respond.
    private static let brief = SMTPClient.SMTPTimeouts(answering: .milliseconds(200))

    @Test("A mail arrives unchanged, and the server's reply is reported")
    func sent() async throws {
        let server = try await MailStandIn()
        let mail = try MailMessage.example("Grüße", ".\nä")
        let said = try await SMTPClient(roots: []).send(mail, to: .local(server.port))
        #expect(said == "250 2.0.0 queued as 4711")
        #expect(server.received.mails.map { Array($0.utf8) } == [ComposedMail(mail).bytes])
        await server.stop()
    }

    @Test(
        "With TLS, implicit or STARTTLS, the password is sent encrypted only",
        arguments: [MailStandIn.Encryption.startTLS, .tls])
    func encrypted(_ encryption: MailStandIn.Encryption) async throws {
        let server = try await MailStandIn(encryption)
        let client = SMTPClient(roots: server.roots)
        for host in ["localhost", "127.0.0.1"] {
            let kind: MailServer.Encryption = encryption == .tls ? .tls : .startTLS
            _ = try await client.send(
                .example(), to: .local(server.port, kind, login: MailServer.login, host: host))
        }
        let received = server.received
        #expect(received.mails.count == 2)
        let inTheClear = received.commands.filter { !$0.isSecure }.map { $0.line.prefix(4) }
        #expect(inTheClear == (encryption == .tls ? [] : ["EHLO", "STAR", "EHLO", "STAR"]))
        #expect(received.commands.count { $0.line.hasPrefix("AUTH PLAIN") } == 2)
        await server.stop()
    }

    @Test(
        "A server with an untrusted certificate, one for another name, or without TLS gets no password and no mail"
    )
    func certificates() async throws {
        let (stranger, other, plain) = (
            try await MailStandIn(.tls), try await MailStandIn(.startTLS, host: "mail.example.org"),
            try await MailStandIn(.startTLS)
        )
        let login = MailServer.login
        for (server, roots, kind, words) in [
            (stranger, [], .tls, "its certificate is not valid, or not issued by an authority"),
            (other, other.roots, .startTLS, "its certificate is for another name"),
            (plain, plain.roots, .tls, "it does not begin with TLS on this port; does it expect STARTTLS?"),
        ] as [(MailStandIn, [UInt8], MailServer.Encryption, String)] {
            let failure = await #expect(throws: MailFailure.self) {
                try await SMTPClient(roots: roots).send(
                    .example(), to: .local(server.port, kind, login: login, host: "localhost"))
            }
            let reason = failure?.description ?? ""
            #expect(
                failure?.kind == .way && reason.hasPrefix("TLS with the mail server failed: \(words)"), "\(reason)")
            #expect(server.received.commands.allSatisfy { !$0.line.hasPrefix("AUTH") } && server.received.mails.isEmpty)
            await server.stop()
        }
    }

    @Test("Plain text after the reply to STARTTLS is not trusted")
    func injected() async throws {
        let server = try await MailStandIn(.startTLS, answers: ["STARTTLS": .text("220 go on\r\n250 AUTH PLAIN\r\n")])
        let failure = await #expect(throws: MailFailure.self) {
            try await SMTPClient(roots: server.roots).send(.example(), to: .local(server.port, .startTLS))
        }
        #expect(failure?.kind == .way)
        #expect(server.received.commands.map(\.line).last == "STARTTLS")
        await server.stop()
    }

    private static let bad: [(answers: [String: MailStandIn.Answer], kind: MailFailure.Kind)] = [
        (["greeting": .silence], .way), (["greeting": .close], .way),
        (["greeting": .text("HTTP/1.1 400 Bad\r\n")], .way),
        (["greeting": .endless("220-welcome\r\n")], .way), (["EHLO": .endless("x")], .way), (["MAIL": .silence], .way),
        (["RCPT": .text("450 later\r\n")], .passing), (["RCPT": .text("550 nobody\r\n")], .final),
        (["mail": .text("451 later\r\n")], .passing), (["mail": .close], .way),
        (["greeting": .text("220 a\r\n250 b\r\n250 c\r\n250 d\r\n354 e\r\n250 f\r\n250 g\r\n")], .way),
    ]

    @Test("Silence, endless replies, garbage and refusals each end, with the reason", arguments: bad.indices)
    func refused(_ number: Int) async throws {
        let (answers, kind) = Self.bad[number]
        let server = try await MailStandIn(answers: answers)
        let isSilent = answers.values.contains { if case .silence = $0 { true } else { false } }
        let timeouts = isSilent ? Self.brief : SMTPClient.SMTPTimeouts()
        let failure = await #expect(throws: MailFailure.self) {
            try await SMTPClient(roots: [], timeouts: timeouts).send(.example(), to: .local(server.port))
        }
        #expect(
            failure?.kind == kind && failure?.description.contains("mary") == false, "\(failure?.description ?? "")")
        await server.stop()
    }

    @Test("A refused connection is a failure of the server, not of the mail")
    func nobody() async throws {
        try await withClosedPort { port in
            let failure = await #expect(throws: MailFailure.self) {
                try await SMTPClient(roots: []).send(.example(), to: .local(port))
            }
            let reason = failure?.description ?? ""
            #expect(failure?.kind == .way && reason.contains("connection refused by "), "\(reason)")
            #expect(reason.contains(":\(port)") && !reason.contains("errno"), "\(reason)")
        }
    }

    @Test("A connection that breaks is reported in plain words")
    func broken() async throws {
        let reset = IOError(errnoCode: ECONNRESET, reason: "read(descriptor:pointer:size:)")
        #expect(ConnectionFailure.reason(of: reset) == "connection reset by peer")
        // Without the end that TLS prescribes.
        let server = try await MailStandIn(.tls, answers: ["MAIL": .cut])
        let failure = await #expect(throws: MailFailure.self) {
            try await SMTPClient(roots: server.roots).send(.example(), to: .local(server.port, .tls))
        }
        #expect(failure?.description == "the connection to the mail server failed: the mail server closed it")
        await server.stop()
    }
}
