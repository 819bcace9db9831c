import Foundation
import NephosPost
package import NephosRunner

/// Sends mails: to a server, by a program, or into a folder.
package struct MailCarrier: OutgoingMail {
    package let setup, fallback: MailSetup?
    private let path: String
    private let folder: String?
    private let client: SMTPClient

    /// - Parameter settings: The server's settings.
    /// - Throws: If the file that `NEPHOS_MAIL_ROOTS` names cannot be read or has no certificate.
    package init(_ settings: FeatureSettings) throws {
        setup = settings.mailProgram.map { MailSetup(.program($0), from: nil) }
        fallback = settings.keepsMails ? MailSetup(.folder, from: try MailSender("Nephos <nephos@localhost>")) : nil
        path = settings.environment.text("PATH") ?? "/usr/bin:/bin"
        folder = settings.mailFolder
        client = SMTPClient(roots: try ClientTLS.roots("NEPHOS_MAIL_ROOTS", in: settings.environment))
    }

    package func send(_ mail: MailMessage, by way: MailWay) async throws(MailFailure) -> String {
        switch way {
        case .server(let server): return try await client.send(mail, to: server)
        case .program(let program):
            // Whoever can write to the store names it.
            guard geteuid() != 0 || setup?.way == way else { throw MailFailure(Self.asRoot) }
            try await ProgramMail(program: program, path: path).send(mail)
            return "\(program) accepted it."
        case .folder:
            guard let folder else { throw MailFailure("this process has no folder for mails") }
            return "It is in \(try FolderMail(folder: folder).write(mail))."
        }
    }

    private static let asRoot = """
        this process runs as root, and a program that the store names is not run with the rights of root: run it as the user of the \
        server, or name the program with serve --mail-command
        """
}
