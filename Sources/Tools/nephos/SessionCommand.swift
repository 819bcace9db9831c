import ArgumentParser
import NephosAdmin

struct SessionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session", abstract: "Sign people in from here.", subcommands: [Create.self])

    struct Create: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sign a person in to a container and print a web auth token.",
            discussion: """
                The token acts as that person for two weeks. Clients send it as ckWebAuthToken, beside an API token.

                Example:

                  nephos session create iCloud.com.example.app mary@example.org
                """)

        @Argument(help: "The container's id.")
        var container: String
        @Argument(help: "The address of the person's account.")
        var email: String
        @OptionGroup var environment: EnvironmentOption
        @OptionGroup var data: DataOptions

        func run(_ administration: Administration) async throws {
            let tenant = environment.tenant(of: container)
            Terminal.answer(try await administration.createSession(in: tenant, email: email))
        }
    }
}
