import Foundation
import GuestBook
import NephosCommands

/// The server with a guest book: the same program with one feature more.
@main
enum Main {
    static func main() async {
        exit(await Nephos.run(Array(CommandLine.arguments.dropFirst()), in: .ofProcess, with: [.guestBook]))
    }
}
