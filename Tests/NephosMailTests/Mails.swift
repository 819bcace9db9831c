import NephosRunner
import NephosStorage

extension MailMessage {
    /// A mail from this server.
    static func example(
        _ subject: String = "Hello", _ text: String = "A text.", from sender: String = "Nephos <nephos@example.org>"
    ) throws -> MailMessage {
        MailMessage(
            id: Array(1...16), sender: try MailSender(sender), to: try MailAddress("mary@example.com"),
            subject: subject,
            text: text, date: 1_795_780_800_000)
    }
}

extension MailServer {
    static let login = Login(user: "nephos", password: Secret(Array("open sesame".utf8)))

    static func local(_ port: Int, _ encryption: Encryption = .none, login: Login? = nil, host: String = "127.0.0.1")
        -> Self
    {
        MailServer(host: host, port: port, encryption: encryption, login: login)
    }
}
