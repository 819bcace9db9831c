package import NephosRunner
import NephosStorage

extension UseCaseGroup {
    package static let tokens = UseCaseGroup(
        "token", abstract: "Create, list and revoke API tokens, which let an app in.",
        [
            UseCase(
                "token create", .changes, abstract: "Create an API token and print it.",
                discussion: """
                    It is shown only once; the server keeps only its hash. Clients send it as ckAPIToken.

                    Example:

                      nephos token create iCloud.com.example.app --name "Web site"
                    """,
                .tenant, .option("name", default: "", help: "A name that shows what the token is for.")
            ) { call, tenant, name in
                .apiToken(try await call.administration.createAPIToken(in: tenant, name: name), of: tenant)
            }
        ] + UseCase.credentials(.token))
}

extension UseCase {
    /// The use cases that tokens and keys have in common.
    package static func credentials(_ kind: CredentialKind) -> [UseCase] { [list(kind), rename(kind), revoke(kind)] }

    private static func list(_ kind: CredentialKind) -> UseCase {
        UseCase(
            "\(kind.command) list", .reads, lists: true,
            abstract: "Print the \(kind.noun)s of a container, revoked ones too.",
            discussion: """
                \(kind == .token ? "The id is the beginning of the token's hash, which grants no access. " : "")The last use is \
                recorded by day, some minutes later.

                Example:

                  nephos \(kind.command) list iCloud.com.example.app
                """,
            .tenant
        ) { call, tenant in
            let rows = try call.administration.credentials(kind, of: tenant).map { listing in
                [
                    listing.id, listing.name.isEmpty ? "-" : listing.name, listing.createdAt.asDate,
                    listing.lastDay.asDay, listing.revokedAt.asDateOrDash,
                ]
            }
            return .table(
                ["id", "name", "made", "last used", "revoked"], rows, whenEmpty: "There is no \(kind.noun).")
        }
    }

    private static func rename(_ kind: CredentialKind) -> UseCase {
        UseCase(
            "\(kind.command) rename", .changes, abstract: "Change the name of \(kind.one).",
            discussion:
                "Example:\n\n  nephos \(kind.command) rename iCloud.com.example.app 8f14e45f \"\(kind.exampleName)\"",
            .tenant, .credential, Input<String>.argument("name", help: "The new name, which shows what it is for.")
        ) { call, tenant, id, name in
            try await call.administration.rename(kind, id, in: tenant, to: name)
            return .nothing
        }
    }

    private static func revoke(_ kind: CredentialKind) -> UseCase {
        UseCase(
            "\(kind.command) revoke", .changes, abstract: "Revoke \(kind.one).",
            discussion:
                "\(kind.revoking)\n\nExample:\n\n  nephos \(kind.command) revoke iCloud.com.example.app 8f14e45f",
            .tenant, .credential
        ) { call, tenant, id in
            try await call.administration.revoke(kind, id, in: tenant)
            return .nothing
        }
    }
}

extension Input where Value == String {
    fileprivate static var credential: Input { argument("id", help: "Its id, or the beginning of its id.") }
}

extension CredentialKind {
    /// The name of its command.
    fileprivate var command: String {
        switch self {
        case .token: "token"
        case .key: "key"
        }
    }

    fileprivate var one: String {
        switch self {
        case .token: "an API token"
        case .key: "a key"
        }
    }

    fileprivate var noun: String {
        switch self {
        case .token: "API token"
        case .key: "key"
        }
    }

    fileprivate var exampleName: String {
        switch self {
        case .token: "Web site"
        case .key: "Nightly import"
        }
    }

    fileprivate var revoking: String {
        switch self {
        case .token:
            """
            It is refused from the next request on, on every server, and so are the links to files and event streams that \
            were created with it. This cannot be undone. Sessions stay, and work with another token.
            """
        case .key:
            """
            It is refused from the next request on, on every server; its webhooks are no longer called, and its links to files \
            and event streams end. What it wrote stays.
            """
        }
    }
}
