import NephosNetwork
import NephosRunner
import NephosStorage

/// A transport as typed, with its password not read yet.
struct TypedMailWay: Sendable {
    let server: HostAndPort?
    let encryption: MailServer.Encryption
    let user: String?
    let passwordFile: InputFile?
    let program: String?

    func way(password: (InputFile) throws -> String) throws -> MailWay {
        if let program {
            guard MailWay.isProgram(program) else {
                throw Failure(
                    "There is no program at \(program). Pass the full path of a program that can be run.",
                    kind: .wrongUsage)
            }
            return .program(program)
        }
        guard let server else { return .folder }
        var login: MailServer.Login?
        if let user, let passwordFile {
            let text = try password(passwordFile)
            guard !text.isEmpty, !text.utf8.contains(0), text.utf8.count <= 1_024 else {
                throw Failure("A password must have 1 to 1024 bytes, none of them zero.")
            }
            login = MailServer.Login(user: user, password: Secret(Array(text.utf8)))
        }
        return .server(MailServer(host: server.host, port: server.port, encryption: encryption, login: login))
    }
}

extension Input where Value == TypedMailWay {
    static var mailWay: Input {
        Input(
            Input<String?>.option("smtp", valueName: "host:port", help: "The SMTP server to send mails to."),
            Input<MailEncryption?>.option(
                "tls",
                help: "starttls (mostly port 587), tls (mostly port 465), or none, only for a server on this machine."),
            Input<String?>.option("user", help: "The user name to log in with."),
            Input<InputFile?>.option(
                "password-file", valueName: "file",
                help: "A file that contains only that user's password, or - for standard input."),
            Input<String?>.option(
                "command", valueName: "path", help: "A program that sends mails like sendmail -i -t."),
            Input<Bool>.flag("folder", help: "Write mails to files in DATA/mail, and to the log.")
        ) { smtp, tls, user, file, command, isFolder throws(WrongInput) in
            guard [smtp != nil, command != nil, isFolder].count(where: { $0 }) == 1 else {
                throw WrongInput("Pass one of --smtp, --command and --folder.")
            }
            guard let smtp else {
                guard tls == nil, user == nil, file == nil else {
                    throw WrongInput("--tls, --user and --password-file need --smtp.")
                }
                if let command, !command.hasPrefix("/") || !command.isLine {
                    throw WrongInput(
                        "--command takes the absolute path of a program, because servers can run in other folders.")
                }
                return TypedMailWay(server: nil, encryption: .none, user: nil, passwordFile: nil, program: command)
            }
            guard let server = HostAndPort(smtp), server.port > 0, server.host.isLine, server.host.utf8.count <= 253
            else {
                throw WrongInput("--smtp takes a host and a port, smtp.example.org:587, not '\(smtp)'.")
            }
            guard let tls else { throw WrongInput("Pass --tls starttls or --tls tls, whichever the server supports.") }
            guard tls != .none || server.isLoopback else {
                throw WrongInput(
                    "--tls none is only for a server on this machine: elsewhere, others could read and change all mails."
                )
            }
            guard tls != .none || user == nil else {
                throw WrongInput("--user needs TLS: pass --tls starttls or --tls tls.")
            }
            guard (user == nil) == (file == nil) else {
                throw WrongInput("Pass both --user and --password-file, or neither.")
            }
            guard user.map({ !$0.isEmpty && $0.isLine && $0.utf8.count <= 254 }) ?? true else {
                throw WrongInput("--user must have 1 to 254 bytes without control characters.")
            }
            return TypedMailWay(server: server, encryption: tls.stored, user: user, passwordFile: file, program: nil)
        }
    }
}

extension String {
    /// Whether it contains no line breaks or control characters.
    fileprivate var isLine: Bool { !unicodeScalars.contains { $0.properties.generalCategory == .control } }
}

enum MailEncryption: String, InputWord, CaseIterable {
    case starttls, tls, none

    var stored: MailServer.Encryption {
        switch self {
        case .starttls: .startTLS
        case .tls: .tls
        case .none: .none
        }
    }
}
