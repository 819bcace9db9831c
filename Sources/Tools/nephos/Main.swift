import Foundation
import NephosCommands

/// The program: the arguments and the streams of its process go to the command, and the command's exit code comes back.
@main
enum Main {
    static func main() async {
        exit(await Nephos.run(Array(CommandLine.arguments.dropFirst()), in: .ofProcess))
    }
}
