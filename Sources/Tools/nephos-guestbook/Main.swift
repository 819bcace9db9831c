import GuestBook
import NephosCommands
import NephosMail
import NephosPost
import NephosRunner

/// The server with a guest book: the same program with an additional feature.
@main
enum Main {
    private static let features: [Feature] = [.delivery, .guestBook]

    static func main() {
        Program.run {
            let arguments = Array(CommandLine.arguments.dropFirst())
            return await Nephos.run(arguments, in: .ofProcess, with: features) { settings in
                Nephos.Outgoing(http: try GuardedClient(settings), mail: try MailCarrier(settings))
            }
        }
    }
}
