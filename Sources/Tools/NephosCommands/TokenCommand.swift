import ArgumentParser
import NephosAdmin

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Make, list and revoke API tokens, which let an app in.",
        subcommands: [
            Create.self, ListCredentials<TokenWords>.self, RenameCredential<TokenWords>.self,
            RevokeCredential<TokenWords>.self,
        ])

    struct Create: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make an API token and print it.",
            discussion: """
                It is shown this once; the server keeps only its hash. Clients send it as ckAPIToken.

                Example:

                  nephos token create iCloud.com.example.app --name "Web site"
                """)

        @OptionGroup var place: TenantArguments
        @Option(help: "What the token is for, for people.")
        var name: String = ""
        @OptionGroup var data: DataOptions

        func run(_ administration: Administration) async throws {
            Terminal.answer(try await administration.createAPIToken(in: place.tenant, name: name))
        }
    }
}
