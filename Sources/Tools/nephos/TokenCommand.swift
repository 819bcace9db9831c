import ArgumentParser
import NephosAdmin

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Make, list and revoke API tokens, which let an app in.",
        subcommands: [Create.self, List.self, Rename.self, Revoke.self])

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

    struct List: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the API tokens of a container, revoked ones too.",
            discussion: """
                The id is the beginning of the token's hash, which opens nothing. A use is noted by day, some minutes later.

                Example:

                  nephos token list iCloud.com.example.app
                """)

        @OptionGroup var place: TenantArguments
        @OptionGroup var data: DataOptions

        func run(_ administration: Administration) async throws {
            let tokens = try administration.apiTokens(of: place.tenant)
            guard !tokens.isEmpty else { return Terminal.note("There is no API token.") }
            Terminal.answer(CredentialTable(tokens).text)
        }
    }

    struct Rename: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say anew what an API token is for.",
            discussion: "Example:\n\n  nephos token rename iCloud.com.example.app 8f14e45f \"Web site\"")

        @OptionGroup var place: TenantArguments
        @Argument(help: "The id of the token, or its beginning.")
        var token: String
        @Argument(help: "What the token is for, for people.")
        var name: String
        @OptionGroup var data: DataOptions

        func run(_ administration: Administration) async throws {
            try await administration.renameAPIToken(token, in: place.tenant, to: name)
        }
    }

    struct Revoke: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take an API token back, for good.",
            discussion: """
                It opens nothing from the next request on, on any server, nor do the links to files and the event streams \
                that were made with it. Sessions stay, and are good with another token.

                Example:

                  nephos token revoke iCloud.com.example.app 8f14e45f
                """)

        @OptionGroup var place: TenantArguments
        @Argument(help: "The id of the token, or its beginning.")
        var token: String
        @OptionGroup var data: DataOptions

        func run(_ administration: Administration) async throws {
            try await administration.revokeAPIToken(token, in: place.tenant)
        }
    }
}
