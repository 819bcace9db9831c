import ArgumentParser
import NephosAdmin
import NephosStorage

/// What `nephos token` and `nephos key` are about; what they do is the same.
protocol CredentialWords {
    static var kind: CredentialKind { get }
    /// `token`, as the command is called.
    static var command: String { get }
    /// `an API token`, `API token`.
    static var one: String { get }
    static var noun: String { get }
    static var exampleName: String { get }
    static var revoking: String { get }
}

enum TokenWords: CredentialWords {
    static let kind = CredentialKind.token
    static let command = "token"
    static let one = "an API token"
    static let noun = "API token"
    static let exampleName = "Web site"
    static let revoking = """
        It opens nothing from the next request on, on any server, nor do the links to files and the event streams that were \
        made with it, for good. Sessions stay, and are good with another token.
        """
}

enum KeyWords: CredentialWords {
    static let kind = CredentialKind.key
    static let command = "key"
    static let one = "a key"
    static let noun = "key"
    static let exampleName = "Nightly import"
    static let revoking = """
        It opens nothing from the next request on, on any server; its webhooks are not called any more, and its links to \
        files and event streams end. What it wrote stays.
        """
}

struct ListCredentials<Words: CredentialWords>: AdministrationCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "list", abstract: "Print the \(Words.noun)s of a container, revoked ones too.",
            discussion: """
                \(Words.kind == .token ? "The id is the beginning of the token's hash, which opens nothing. " : "")A use is \
                noted by day, some minutes later.

                Example:

                  nephos \(Words.command) list iCloud.com.example.app
                """)
    }

    @OptionGroup var place: TenantArguments
    @OptionGroup var data: DataOptions

    func run(_ administration: Administration) async throws {
        let listings = try administration.credentials(Words.kind, of: place.tenant)
        guard !listings.isEmpty else { return Terminal.note("There is no \(Words.noun).") }
        let rows = listings.map { listing in
            [
                listing.id, listing.name.isEmpty ? "-" : listing.name, listing.createdAt.asDate,
                listing.lastDay.asDay, listing.revokedAt == 0 ? "-" : listing.revokedAt.asDate,
            ]
        }
        Terminal.answer(Table(["id", "name", "made", "last used", "revoked"], rows).text)
    }
}

struct RenameCredential<Words: CredentialWords>: AdministrationCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "rename", abstract: "Say what \(Words.one) is for.",
            discussion:
                "Example:\n\n  nephos \(Words.command) rename iCloud.com.example.app 8f14e45f \"\(Words.exampleName)\"")
    }

    @OptionGroup var place: TenantArguments
    @Argument(help: "Its id, or the beginning of that.")
    var id: String
    @Argument(help: "What it is for, for people.")
    var name: String
    @OptionGroup var data: DataOptions

    func run(_ administration: Administration) async throws {
        try await administration.rename(Words.kind, id, in: place.tenant, to: name)
    }
}

struct RevokeCredential<Words: CredentialWords>: AdministrationCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "revoke", abstract: "Take \(Words.one) back.",
            discussion:
                "\(Words.revoking)\n\nExample:\n\n  nephos \(Words.command) revoke iCloud.com.example.app 8f14e45f")
    }

    @OptionGroup var place: TenantArguments
    @Argument(help: "Its id, or the beginning of that.")
    var id: String
    @OptionGroup var data: DataOptions

    func run(_ administration: Administration) async throws {
        try await administration.revoke(Words.kind, id, in: place.tenant)
    }
}
