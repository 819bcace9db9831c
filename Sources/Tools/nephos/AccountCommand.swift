import ArgumentParser
import NephosAdmin

struct AccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "Make accounts, one a person.", subcommands: [Create.self])

    struct Create: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make an account and print its id.",
            discussion: "Example:\n\n  nephos account create mary@example.org --name \"Mary Example\"")
        static let createsFolder = true

        @Argument(help: "The person's address; upper and lower case are the same.")
        var email: String
        @Option(help: "Given name, then family name.")
        var name: String = ""
        @OptionGroup var data: DataOptions

        func run(_ administration: Administration) async throws {
            Terminal.answer(try administration.createAccount(email: email, name: name))
        }
    }
}
