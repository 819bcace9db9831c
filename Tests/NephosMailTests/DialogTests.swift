import CloudKitWire
import NephosRunner
import NephosStorage
import Testing

@testable import NephosMail

/// docs/decisions/0047: commands to a server, and the handling of its replies.
@Suite("A conversation with a mail server") struct DialogTests {
    /// Passes the replies one after the other. - Returns: The command after each.
    private func hold(_ server: MailServer, _ replies: String...) throws -> [String] {
        let mail = try MailMessage.example()
        var dialog = SMTPDialog(
            Array(".dot\r\n".utf8), from: try MailAddress("nephos@example.org"), to: mail.address, using: server)
        var (reader, commands) = (SMTPReplyReader(), [String]())
        for reply in replies {
            try reader.take("\(reply)\r\n".utf8)
            while let whole = try reader.next() {
                switch try dialog.next(after: whole) {
                case .send(let bytes):
                    commands.append(String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "|"))
                case .secure:
                    guard case .send(let bytes) = dialog.secured() else { continue }
                    commands.append("TLS, \(String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "|"))")
                case .done(let text): commands.append(text)
                }
            }
        }
        return commands
    }

    private func failure(_ server: MailServer, _ replies: [String]) -> MailFailure? {
        #expect(throws: MailFailure.self) {
            var dialog = SMTPDialog(
                [], from: try MailAddress("nephos@example.org"), to: try MailAddress("mary@example.com"), using: server)
            for reply in replies {
                var reader = SMTPReplyReader()
                try reader.take("\(reply)\r\n".utf8)
                while let whole = try reader.next() {
                    if try dialog.next(after: whole) == .secure { _ = dialog.secured() }
                }
            }
        }
    }

    @Test("Without encryption a mail is delivered without logging in")
    func plain() throws {
        let reply = try hold(
            .local(25), "220-mail\r\n220 ready", "250-mail\r\n250 AUTH PLAIN", "250 ok", "251 ok", "354 go on",
            "250 queued as 4711")
        #expect(
            reply == [
                "EHLO [127.0.0.1]|", "MAIL FROM:<nephos@example.org>|", "RCPT TO:<mary@example.com>|", "DATA|",
                "..dot|.|", "250 queued as 4711",
            ])
    }

    @Test("After STARTTLS the client greets again, and only then logs in")
    func startTLS() throws {
        let reply = try hold(
            .local(587, .startTLS, login: MailServer.login), "220 ready",
            "250-mail\r\n250-AUTH PLAIN\r\n250 starttls", "220 go on", "250-mail\r\n250 AUTH LOGIN PLAIN", "235 welcome"
        )
        #expect(
            reply == [
                "EHLO [127.0.0.1]|", "STARTTLS|", "TLS, EHLO [127.0.0.1]|",
                "AUTH PLAIN \(Base64.text(Array("\0nephos\0open sesame".utf8)))|", "MAIL FROM:<nephos@example.org>|",
            ])
    }

    @Test("LOGIN is used if PLAIN is not offered")
    func login() throws {
        let reply = try hold(
            .local(465, .tls, login: MailServer.login), "220 ready", "250-mail\r\n250 AUTH LOGIN", "334 VXNlcm5hbWU6",
            "334 UGFzc3dvcmQ6", "235 welcome")
        #expect(
            reply.dropFirst() == [
                "AUTH LOGIN|", "\(Base64.text(Array("nephos".utf8)))|", "\(Base64.text(Array("open sesame".utf8)))|",
                "MAIL FROM:<nephos@example.org>|",
            ])
    }

    @Test("With TLS configured nothing is sent in plain text, and without it no password")
    func secrets() throws {
        #expect(failure(.local(587, .startTLS), ["220 ready", "250 AUTH PLAIN"])?.kind == .way)
        #expect(
            failure(.local(25, login: MailServer.login), ["220 ready", "250-mail\r\n250 AUTH PLAIN"])?.kind == .way)
        #expect(
            failure(.local(465, .tls, login: MailServer.login), ["220 ready", "250-mail\r\n250 AUTH GSSAPI"])?.kind
                == .way)
        let closed = MailServer.Login(user: "nephos", password: Secret(Array(repeating: 0, count: 0)))
        #expect(try hold(.local(465, .tls, login: closed), "220 ready", "250-mail\r\n250 AUTH PLAIN").count == 2)
    }

    private static let untilRecipient = ["220 ready", "250 mail", "250 ok"]

    @Test("Temporary, permanent and server-wide failures are distinguished; the log has no address")
    func refusals() {
        let cases: [([String], MailFailure.Kind)] = [
            (["554 go away"], .way), (["220 ready", "500 what"], .way),
            (["220 ready", "250 mail", "530 log in"], .way),
            (Self.untilRecipient + ["450 later <mary@example.com>"], .passing),
            (Self.untilRecipient + ["550 no <mary@example.com>"], .final), (Self.untilRecipient + ["421 bye"], .way),
            (Self.untilRecipient + ["354 what"], .way), (Self.untilRecipient + ["250 ok", "451 later"], .passing),
            (Self.untilRecipient + ["250 ok", "354 go on", "452 full"], .passing),
            (Self.untilRecipient + ["250 ok", "354 go on", "554 spam"], .final),
        ]
        for (replies, kind) in cases {
            let found = failure(.local(25), replies)
            #expect(found?.kind == kind, "\(replies)")
            #expect(found?.description.contains("mary") == false && found?.reply == replies.last, "\(replies)")
        }
    }

    @Test("Replies are read the same however they are split")
    func pieces() throws {
        let bytes = Array("250-one\r\n250-two\n250\r\n220 next \u{7}\r\n".utf8)
        for size in 1...bytes.count {
            var (reader, replies) = (SMTPReplyReader(), [SMTPReply]())
            for start in stride(from: 0, to: bytes.count, by: size) {
                try reader.take(bytes[start..<min(start + size, bytes.count)])
                while let reply = try reader.next() { replies.append(reply) }
            }
            #expect(
                replies == [
                    SMTPReply(code: 250, lines: ["one", "two", ""]), SMTPReply(code: 220, lines: ["next ?"]),
                ])
            #expect(reader.isEmpty)
        }
    }

    @Test(
        "Invalid and endless replies are rejected",
        arguments: [
            "hello\r\n", "25\r\n", "250_ok\r\n", "099 x\r\n", "600 x\r\n", "250-a\r\n220 b\r\n", "\r\n",
            String(repeating: "2", count: 2_000), "250 " + String(repeating: "x", count: 2_000) + "\r\n",
            String(repeating: "250-x\r\n", count: 101),
        ])
    func garbage(_ text: String) {
        #expect(throws: MailFailure.self) {
            var reader = SMTPReplyReader()
            try reader.take(text.utf8)
            while try reader.next() != nil {}
        }
    }
}
