import CloudKitWire
import NephosRunner
import NephosStorage

/// The SMTP dialog that delivers one mail to a server (RFC 5321): what to send after each reply. A value, independent of the network.
///
/// The mail is ASCII in short lines (``ComposedMail``), so no extension is needed except those for encryption (RFC 3207) and authentication (RFC
/// 4954).
struct SMTPDialog {
    enum Step: Equatable {
        case send([UInt8])
        /// Start TLS, then call ``secured()``. Bytes received before it and not read yet must be discarded.
        case secure
        /// The mail was accepted. The server's reply.
        case done(String)
    }

    private enum State {
        case greeting, hello, startTLS, user, password, login, sender, recipient, data, content, ended
    }

    private let server: MailServer
    private let sender: MailAddress
    private let recipient: MailAddress
    private let content: [UInt8]
    /// The name of this machine in EHLO: a name, or an address in brackets (§4.1.3).
    var name = "[127.0.0.1]"
    private var state = State.greeting
    private var isSecure: Bool

    /// - Parameter content: The composed mail.
    init(_ content: [UInt8], from sender: MailAddress, to recipient: MailAddress, using server: MailServer) {
        (self.content, self.sender, self.recipient) = (content, sender, recipient)
        self.server = server
        isSecure = server.encryption == .tls
    }

    /// The step that follows a reply of the server.
    ///
    /// - Throws: If the mail was not accepted; the dialog is over then.
    mutating func next(after reply: SMTPReply) throws(MailFailure) -> Step {
        switch state {
        case .greeting:
            try expect(reply, 220, after: "its greeting")
            return hello()
        case .hello:
            try expect(reply, 250, after: "EHLO")
            return try greeted(reply.lines.dropFirst().map { $0.uppercased() })
        case .startTLS:
            try expect(reply, 220, after: "STARTTLS")
            return .secure
        case .user:
            try expect(reply, 334, after: "AUTH")
            return send(Base64.text(Array((server.login?.user ?? "").utf8)), then: .password)
        case .password:
            try expect(reply, 334, after: "AUTH")
            return send(Base64.text(try password()), then: .login)
        case .login:
            try expect(reply, 235, after: "AUTH")
            return from()
        case .sender:
            try expect(reply, 250, after: "MAIL FROM")
            return send("RCPT TO:<\(recipient)>", then: .recipient)
        case .recipient:
            if !reply.isDone { throw refusal(of: reply, to: "RCPT TO") }
            return send("DATA", then: .data)
        case .data:
            if reply.code != 354 { throw refusal(of: reply, to: "DATA") }
            state = .content
            return .send(Self.stuffed(content))
        case .content:
            if !reply.isDone { throw refusal(of: reply, to: "the mail") }
            state = .ended
            return .done(reply.text)
        case .ended: throw MailFailure("the mail server sent an unexpected reply")
        }
    }

    /// The step after TLS has started.
    mutating func secured() -> Step {
        isSecure = true
        return hello()
    }

    // MARK: Steps

    private mutating func hello() -> Step { send("EHLO \(name)", then: .hello) }

    private mutating func greeted(_ offers: [String]) throws(MailFailure) -> Step {
        if server.encryption == .startTLS, !isSecure {
            guard offers.contains("STARTTLS") else {
                throw MailFailure("the mail server does not offer STARTTLS, and no mail is sent to it without")
            }
            return send("STARTTLS", then: .startTLS)
        }
        guard let login = server.login else { return from() }
        guard isSecure else { throw MailFailure("a password is not sent to a mail server without TLS") }
        let words = offers.lazy.map { $0.split(separator: " ") }.first { $0.first == "AUTH" } ?? []
        if words.contains("PLAIN") {
            let proof = [0] + Array(login.user.utf8) + [0] + (try password())
            return send("AUTH PLAIN \(Base64.text(proof))", then: .login)
        }
        guard words.contains("LOGIN") else {
            throw MailFailure("the mail server offers neither AUTH PLAIN nor AUTH LOGIN")
        }
        return send("AUTH LOGIN", then: .user)
    }

    private mutating func from() -> Step { send("MAIL FROM:<\(sender)>", then: .sender) }

    private func password() throws(MailFailure) -> [UInt8] {
        guard let bytes = server.login?.password.bytes else {
            throw MailFailure("the password for the mail server is sealed under a key that is missing here")
        }
        return bytes
    }

    private mutating func send(_ line: String, then next: State) -> Step {
        state = next
        return .send(Array("\(line)\r\n".utf8))
    }

    /// Adds a dot to lines that begin with one, so that only a single dot ends the mail.
    static func stuffed(_ content: [UInt8]) -> [UInt8] {
        let dot = UInt8(ascii: ".")
        var out: [UInt8] = []
        var isFirst = true
        for byte in content {
            if isFirst, byte == dot { out.append(dot) }
            out.append(byte)
            isFirst = byte == UInt8(ascii: "\n")
        }
        return out + Array((isFirst ? ".\r\n" : "\r\n.\r\n").utf8)
    }

    // MARK: Refusals

    private func expect(_ reply: SMTPReply, _ code: Int, after what: String) throws(MailFailure) {
        if reply.code != code { throw Self.failure(reply, what, .way) }
    }

    private func refusal(of reply: SMTPReply, to what: String) -> MailFailure {
        // The server is about to close (RFC 5321 §3.8), or the reply is not valid here.
        if reply.code == 421 || reply.code < 400 { return Self.failure(reply, what, .way) }
        return Self.failure(reply, what, reply.isPassing ? .passing : .final)
    }

    /// Without the reply's text in the log, because it often contains the address.
    private static func failure(_ reply: SMTPReply, _ what: String, _ kind: MailFailure.Kind) -> MailFailure {
        MailFailure("the mail server answered \(reply.code) to \(what)", kind, reply: reply.text)
    }
}
