import ArgumentParser
import NephosAdmin
import NephosStorage

struct AccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "Make and list accounts, one a person.",
        subcommands: [Create.self, List.self, Show.self])

    struct Create: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make an account and print its id.",
            discussion: "Example:\n\n  nephos account create mary@example.org --name \"Mary Example\"")

        @Argument(help: "The person's address; upper and lower case are the same.")
        var email: String
        @Option(help: "Given name, then family name.")
        var name: String = ""
        @OptionGroup var data: DataOptions

        func run(_ administration: Administration) async throws {
            Terminal.answer(try administration.createAccount(email: email, name: name))
        }
    }

    struct List: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print accounts, by address.",
            discussion: """
                Examples:

                  nephos account list
                  nephos account list --after mary@example.org
                """)

        @Option(help: ArgumentHelp("Only those after this address.", valueName: "email"))
        var after: String?
        @OptionGroup var lines: LinesOption
        @OptionGroup var data: DataOptions

        func run(_ administration: Administration) async throws {
            let accounts = try administration.accounts(after: after, limit: lines.limit)
            guard !accounts.isEmpty else { return Terminal.note("There is no account.") }
            let rows = accounts.map { [$0.email, $0.fullName, $0.createdAt.asDate, $0.id] }
            Terminal.answer(Table(["email", "name", "made", "id"], rows).text)
            if let last = accounts.last, accounts.count == lines.limit {
                Terminal.note("There may be more: nephos account list --after \(last.email)\(data.asWritten)")
            }
        }
    }

    struct Show: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print an account, and where its person has signed in.",
            discussion: "Example:\n\n  nephos account show mary@example.org")

        @Argument(help: "The person's address.")
        var email: String
        @OptionGroup var data: DataOptions

        func run(_ administration: Administration) async throws {
            let account = try administration.account(email: email)
            Terminal.answer(
                """
                id     \(account.id)
                email  \(account.email)
                name   \(account.fullName)
                made   \(account.createdAt.asDate)
                """)
            let rows = try administration.memberships(of: account).map { place in
                [
                    "\(place.tenant)", place.user, "\(place.sessions)", "\(place.phones)", "\(place.couriers)",
                    place.lastDay.asDay,
                ]
            }
            guard !rows.isEmpty else { return Terminal.note("\(account.email) has never signed in to a container.") }
            Terminal.answer(
                Table(["container", "user", "sessions", "phones", "pages", "last used"], rows).text)
        }
    }
}

extension AccountRow {
    fileprivate var fullName: String {
        let name = [givenName, familyName].filter { !$0.isEmpty }.joined(separator: " ")
        return name.isEmpty ? "-" : name
    }
}
