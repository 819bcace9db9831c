import NephosNetwork
import NephosRunner
import NephosStorage

/// A transport as typed, with its password not read yet.
struct TypedMailWay: Sendable {
    let server: HostAndPort?
    let encryption: MailServer.Encryption
    let user, passwordFile: String?
    let program: String?

    func way(password: (String) throws -> String) throws -> MailWay {
        if let program { return .program(program) }
        guard let server else { return .folder }
        var login: MailServer.Login?
        if let user, let passwordFile {
            let text = try password(passwordFile)
            guard !text.isEmpty, !text.utf8.contains(0), text.utf8.count <= 1_024 else {
                throw Failure("A password has 1 to 1024 bytes, none of them 0.")
            }
            login = MailServer.Login(user: user, password: Secret(Array(text.utf8)))
        }
        return .server(MailServer(host: server.host, port: server.port, encryption: encryption, login: login))
    }
}

extension Input where Value == TypedMailWay {
    static var mailWay: Input {
        Input(
            Input<String?>.option("smtp", valueName: "host:port", help: "The server that takes mails."),
            Input<MailEncryption?>.option(
                "tls", help: "starttls (port 587 mostly), tls (port 465 mostly), or none, to this machine alone."),
            Input<String?>.option("user", help: "Who logs in to the server."),
            Input<String?>.option(
                "password-file", valueName: "file", help: "A file with that user's password alone, or - to hand it in."),
            Input<String?>.option("command", valueName: "path", help: "A program that sends mails as sendmail does."),
            Input<Bool>.flag("folder", help: "Write mails into files of DATA/mail, and into the log.")
        ) { smtp, tls, user, file, command, isFolder throws(WrongInput) in
            guard [smtp != nil, command != nil, isFolder].count(where: { $0 }) == 1 else {
                throw WrongInput("Say one of --smtp, --command and --folder.")
            }
            guard let smtp else {
                guard tls == nil, user == nil, file == nil else {
                    throw WrongInput("--tls, --user and --password-file go with --smtp.")
                }
                if let command, !command.hasPrefix("/") || !command.isLine {
                    throw WrongInput(
                        "--command takes the whole path of a program, for servers may run in other folders.")
                }
                return TypedMailWay(server: nil, encryption: .none, user: nil, passwordFile: nil, program: command)
            }
            guard let server = HostAndPort(smtp), server.port > 0, server.host.isLine, server.host.utf8.count <= 253
            else {
                throw WrongInput("--smtp takes a host and a port, smtp.example.org:587, not '\(smtp)'.")
            }
            guard let tls else { throw WrongInput("Say --tls starttls or --tls tls, as the server has it.") }
            guard tls != .none || server.isLoopback else {
                throw WrongInput(
                    "--tls none is for a server on this machine alone: others could read all mails, and change them.")
            }
            guard tls != .none || user == nil else { throw WrongInput("Nobody logs in without TLS.") }
            guard (user == nil) == (file == nil) else { throw WrongInput("--user and --password-file go together.") }
            guard user.map({ !$0.isEmpty && $0.isLine && $0.utf8.count <= 254 }) ?? true else {
                throw WrongInput("--user has 1 to 254 bytes, and nothing that ends a line.")
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
