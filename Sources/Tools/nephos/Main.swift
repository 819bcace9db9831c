import NephosCommands
import NephosConstraints
import NephosContent
import NephosFlags
import NephosMail
import NephosMessages
import NephosPeople
import NephosPost
import NephosRunner
import NephosSettings
import NephosTrends

/// The program: passes the arguments and streams of its process to the command, and exits with the command's code.
@main
enum Main {
    private static let features: [Feature] = [
        .delivery, .settings, .constraints, .content, .flags, .messages, .trends, .people,
    ]

    static func main() {
        Program.run {
            let arguments = Array(CommandLine.arguments.dropFirst())
            return await Nephos.run(arguments, in: .ofProcess, with: features) { settings in
                Nephos.Outgoing(http: try GuardedClient(settings), mail: try MailCarrier(settings))
            }
        }
    }
}
