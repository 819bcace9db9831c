import Foundation
package import NephosStorage

/// How mails leave an installation, and their sender.
package struct MailSetup: Sendable, Equatable {
    package var way: MailWay
    /// nil only if a program adds it.
    package var sender: MailSender?

    package init(_ way: MailWay, from sender: MailSender?) { (self.way, self.sender) = (way, sender) }
}

package enum MailWay: Sendable, Equatable {
    case server(MailServer)
    /// A program that is run like `sendmail -i -t`, and reads the mail, with its recipient, from standard input.
    case program(String)
    /// One file per mail, for development.
    case folder

    /// Whether a path is that of a program that this process can run. A folder is not, though the system calls it executable.
    package static func isProgram(_ path: String) -> Bool {
        PathKind(path) == .file && FileManager.default.isExecutableFile(atPath: path)
    }
}

/// An SMTP server that accepts mails.
package struct MailServer: Sendable, Equatable {
    package typealias Encryption = MailSetupRow.Encryption

    package struct Login: Sendable, Equatable {
        package var user: String
        /// A password that could not be decrypted cannot be used to log in.
        package var password: Secret

        package init(user: String, password: Secret) { (self.user, self.password) = (user, password) }
    }

    package var host: String
    package var port: Int
    package var encryption: Encryption
    package var login: Login?

    package init(host: String, port: Int, encryption: Encryption, login: Login? = nil) {
        (self.host, self.port, self.encryption, self.login) = (host, port, encryption, login)
    }
}

extension MailSetup {
    /// The setup in a row; nil if the row is not a valid setup.
    package init?(_ row: MailSetupRow) {
        guard let address = try? MailAddress(row.sender), let sender = try? MailSender(address, name: row.senderName)
        else { return nil }
        switch row.kind {
        case .smtp:
            let login = row.user.isEmpty ? nil : MailServer.Login(user: row.user, password: row.password)
            self.init(
                .server(
                    MailServer(host: row.host, port: Int(row.port), encryption: row.encryption, login: login)),
                from: sender)
        case .command: self.init(.program(row.program), from: sender)
        case .folder: self.init(.folder, from: sender)
        }
    }

    /// The row to store; nil without a sender.
    package func row(at now: Milliseconds) -> MailSetupRow? {
        guard let sender else { return nil }
        let kind: MailSetupRow.Kind =
            switch way {
            case .server: .smtp
            case .program: .command
            case .folder: .folder
            }
        var row = MailSetupRow(kind, sender: sender.address.text, senderName: sender.name, changedAt: now)
        switch way {
        case .server(let server):
            (row.host, row.port, row.encryption) = (server.host, Int64(server.port), server.encryption)
            if let login = server.login { (row.user, row.password) = (login.user, login.password) }
        case .program(let path): row.program = path
        case .folder: break
        }
        return row
    }
}
