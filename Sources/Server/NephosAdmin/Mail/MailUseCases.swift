import CloudKitWire
import NephosNetwork
package import NephosRunner
import NephosStorage

extension UseCaseGroup {
    package static let mails = UseCaseGroup(
        "mail", abstract: "Configure how mails are sent, and test it.",
        discussion: """
            Mails to people and alarms of trends are sent in one way, by all servers of an installation. Nothing is sent until it \
            is configured.
            """,
        [.configureMail, .showMail, .testMail, .removeMail])
}

extension UseCase {
    fileprivate static let configureMail = UseCase(
        "mail configure", .changes, abstract: "Set how mails are sent, replacing the earlier setting.",
        discussion: """
            To a server by SMTP, by a program such as sendmail, or, for development, to files in DATA/mail. Running servers follow within \
            seconds. A password is sealed in the store, and is never an argument, which other users of this machine could see.

            Examples:

              nephos mail configure --smtp smtp.example.org:587 --tls starttls \\
                --user nephos --password-file mail.txt \\
                --from 'Nephos <nephos@example.org>'
              nephos mail configure --command /usr/sbin/sendmail --from nephos@example.org
            """,
        .mailWay,
        Input<String>.option("from", valueName: "address", help: "The sender of mails: an address, or NAME <ADDRESS>.")
    ) { call, way, from in
        let sender: MailSender
        do throws(MailAddressError) { sender = try MailSender(from) } catch {
            throw Failure("\(from) is not valid. \(error)", kind: .wrongUsage)
        }
        let way = try way.way { file in try call.password(inFile: file) }
        try call.administration.configureMail(MailSetup(way, from: sender))
        return .note("Mails are sent \(way.shown). Test it: \(call.command("mail test ADDRESS"))")
    }

    fileprivate static let showMail = UseCase(
        "mail show", .reads, abstract: "Show how mails are sent, without the password.",
        discussion: "Example:\n\n  nephos mail show --output json", Input<Output>.output
    ) { call, output in
        let setup = try call.administration.mailSetup()
        return output.answer(
            ["way", "from", "user"], setup.map { [[$0.way.shown, $0.from, $0.way.login?.user ?? ""]] } ?? [],
            whenEmpty: "Mail is not set up. Set it up with: \(call.command("mail configure"))"
        ) { json in setup?.write(to: &json) }
    }

    fileprivate static let testMail = UseCase(
        "mail test", .reads, abstract: "Send a mail now and print the answer.",
        discussion: "Example:\n\n  nephos mail test mary@example.org",
        Input<String>.argument("address", help: "The recipient.")
    ) { call, typed in
        let address: MailAddress
        do throws(MailAddressError) { address = try MailAddress(typed) } catch {
            throw Failure("\(typed) is not valid. \(error)", kind: .wrongUsage)
        }
        guard let setup = try call.administration.mailSetup() else {
            throw Failure("Mail is not set up. Set it up with: \(call.command("mail configure"))")
        }
        let mail = MailMessage(
            id: call.randomBytes(16), sender: setup.sender, to: address, subject: "Test mail from Nephos",
            text: "This mail was sent by nephos mail test. It has arrived.", date: call.now())
        do throws(MailFailure) {
            return .text(try await call.mail(mail, by: setup.way)).noting(call.publicURL == nil ? Self.needsURL : nil)
        } catch {
            let reply = error.reply.isEmpty ? "" : " The answer was: \(error.reply)"
            let step =
                error.kind == .way
                ? " Check it with: \(call.command("mail show")), and change it with: \(call.command("mail configure"))"
                : ""
            throw Failure("No mail was sent: \(error).\(reply)\(step)")
        }
    }

    /// This command cannot know how servers were started, unless it has their environment.
    private static let needsURL = """
        Servers send mails with links, such as those for sign-up and recovery, only if they are started with --public-url \
        (NEPHOS_PUBLIC_URL, which is not set here), or listen on loopback alone.
        """

    fileprivate static let removeMail = UseCase(
        "mail remove", .changes, abstract: "Stop sending mails.",
        discussion: "Waiting mails are kept for a day, and sent if mails are configured again."
    ) { call in
        .note(
            try call.administration.removeMail() ? "Mail is turned off." : "Mail was not set up. Nothing was changed.")
    }
}

extension UseCaseCall {
    fileprivate func mail(_ mail: MailMessage, by way: MailWay) async throws(MailFailure) -> String {
        let out: any OutgoingMail
        do { out = try self.mail } catch { throw MailFailure("\(error)") }
        return try await out.send(mail, by: way)
    }
}

extension MailServer.Encryption {
    fileprivate var typed: String {
        switch self {
        case .startTLS: "starttls"
        case .tls: "tls"
        case .none: "none"
        }
    }
}

extension MailWay {
    fileprivate var login: MailServer.Login? { if case .server(let server) = self { server.login } else { nil } }

    /// The text after "mails are sent".
    fileprivate var shown: String {
        switch self {
        case .server(let server):
            "to \(HostAndPort(host: server.host, port: server.port)), TLS: \(server.encryption.typed)"
        case .program(let path): "by \(path)"
        case .folder: "to files in DATA/mail"
        }
    }
}

extension MailSetup {
    fileprivate var from: String {
        guard let sender else { return "" }
        let address = sender.address.address.shown
        return sender.name.isEmpty ? address : "\(sender.name) <\(address)>"
    }

    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        switch way {
        case .server(let server):
            json.member("smtp", "\(HostAndPort(host: server.host, port: server.port))")
            json.member("tls", server.encryption.typed)
            if let login = server.login { json.member("user", login.user) }
        case .program(let path): json.member("command", path)
        case .folder: json.member("folder", true)
        }
        json.member("from", from)
        json.endObject()
    }
}
