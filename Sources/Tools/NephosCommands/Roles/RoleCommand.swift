import ArgumentParser
import CloudKitSchema
import CloudKitWire
import NephosAdmin
import NephosDomain
import NephosStorage

struct RoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "role", abstract: "Say who may do what in the public database.",
        subcommands: [Assign.self, Revoke.self, List.self, Explain.self, Preset.self])

    struct Assign: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give a role to a person.",
            discussion: """
                In both environments at once, unless told otherwise. The person needs an account, and need not have \
                been seen by the container. Holds at once, also for sessions that are open.

                Example:

                  nephos role assign iCloud.com.example.app Admin mary@example.org
                """)

        @OptionGroup var who: RoleArguments
        @OptionGroup var data: DataOptions

        func run(_ administration: Administration) async throws {
            let changes = try await administration.assignRole(
                who.role, to: who.email, in: who.container, who.environment.environments)
            for change in changes {
                let before = change.isNew ? "holds" : "held already"
                Terminal.note("\(who.email) \(before) role \(who.role) in \(change.environment.rawValue).")
                guard !change.roleIsThere else { continue }
                let next =
                    change.environment == .production
                    ? "nephos schema deploy \(who.container)\(data.asWritten)" : "CREATE ROLE in the schema"
                Terminal.note("There is no such role in \(change.environment.rawValue) yet; it counts after: \(next)")
            }
        }
    }

    struct Revoke: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take a role away from a person.",
            discussion: "Example:\n\n  nephos role revoke iCloud.com.example.app Admin mary@example.org")

        @OptionGroup var who: RoleArguments
        @OptionGroup var data: DataOptions

        func run(_ administration: Administration) async throws {
            let changes = try await administration.revokeRole(
                who.role, from: who.email, in: who.container, who.environment.environments)
            for change in changes {
                let what = change.isNew ? "lost" : "did not hold"
                Terminal.note("\(who.email) \(what) role \(who.role) in \(change.environment.rawValue).")
            }
        }
    }

    struct List: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print who holds which roles, in both environments.",
            discussion: """
                Without an address, everybody who holds one.

                Example:

                  nephos role list iCloud.com.example.app mary@example.org
                """)

        @Argument(help: "The container's id.")
        var container: String
        @Argument(help: "Only this person; a server-to-server key by its id.")
        var email: String?
        @OptionGroup var data: DataOptions

        func run(_ administration: Administration) async throws {
            let holders = try administration.roleHolders(in: container, who: email)
            guard !holders.isEmpty else {
                return Terminal.note(
                    "Nobody holds a role. Give one with: nephos role assign \(container) ROLE EMAIL\(data.asWritten)")
            }
            let rows = holders.map { holder in
                [
                    holder.who, holder.environment.rawValue, holder.userRecordName ?? "-",
                    holder.roles.isEmpty ? "-" : holder.roles.map(\.text).joined(separator: ", "),
                ]
            }
            Terminal.answer(Table(["who", "environment", "user record", "roles"], rows).text)
        }
    }

    struct Explain: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print who may do what with the records of a type, and why.",
            discussion: "Example:\n\n  nephos role explain iCloud.com.example.app Article mary@example.org")

        @Argument(help: "The container's id.")
        var container: String
        @Argument(help: "The record type.")
        var type: String
        @Argument(help: "Somebody whose rights are told besides.")
        var email: String?
        @OptionGroup var environment: EnvironmentOption
        @OptionGroup var data: DataOptions

        func run(_ administration: Administration) async throws {
            let table = try administration.access(
                to: type, in: environment.tenant(of: container), who: email)
            let rows = table.lines.map { line in
                [line.subject.text(email), line.right.rawValue, line.isAllowed ? "yes" : "no", line.why]
            }
            Terminal.answer(Table(["who", "right", "may", "why"], rows).text)
        }
    }

    struct Preset: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give a record type the grants of a common need, in development.",
            discussion: """
                admin-only    anybody reads; only who holds the role creates, changes and deletes
                author-edits  anybody reads; who is signed in creates; who created a record changes and deletes it
                signed-in     who is signed in reads and creates; who created a record changes and deletes it
                drop-box      who is signed in creates; each reads, changes and deletes their own records only; who \
                holds the role reads all

                It replaces all grants of the type. Deploy afterwards.

                Example:

                  nephos role preset iCloud.com.example.app Article admin-only --role Editor
                """)

        enum Name: String, ExpressibleByArgument, CaseIterable {
            case adminOnly = "admin-only"
            case authorEdits = "author-edits"
            case signedIn = "signed-in"
            case dropBox = "drop-box"
        }

        @Argument(help: "The container's id.")
        var container: String
        @Argument(help: "The record type.")
        var type: String
        @Argument(help: "admin-only, author-edits, signed-in or drop-box.")
        var preset: Name
        @Option(
            help: ArgumentHelp("For admin-only and drop-box: the role; made if it is missing. (default: Admin)"))
        var role: String?
        @OptionGroup var data: DataOptions

        func validate() throws {
            if role != nil, preset != .adminOnly, preset != .dropBox {
                throw ValidationError("--role belongs to admin-only and drop-box.")
            }
        }

        func run(_ administration: Administration) async throws {
            let role = CloudKitWire.Name(role ?? "Admin")
            let grants: GrantPreset =
                switch preset {
                case .adminOnly: .adminOnly(role: role)
                case .authorEdits: .authorEdits
                case .signedIn: .signedIn
                case .dropBox: .dropBox(role: role)
                }
            Terminal.note(try await administration.apply(grants, to: type, in: container).description)
            Terminal.note("Production follows with: nephos schema deploy \(container)\(data.asWritten)")
        }
    }
}

/// A role and who is to have it.
struct RoleArguments: ParsableArguments {
    @Argument(help: "The container's id.")
    var container: String
    @Argument(help: "The role, as the schema names it.")
    var role: String
    @Argument(help: "The address of the person's account; a server-to-server key by its id.")
    var email: String
    @Option(help: "Where: development, production or both.")
    var environment: Environments = .both
}

enum Environments: String, ExpressibleByArgument, CaseIterable {
    case development, production, both

    var environments: [Environment] {
        switch self {
        case .development: [.development]
        case .production: [.production]
        case .both: Environment.allCases
        }
    }
}

extension HeldRole {
    fileprivate var text: String {
        guard let name else { return "(removed role \(number))" }
        return isThere ? name.text : "\(name) (not there yet)"
    }
}

extension AccessTable.Subject {
    /// - Parameter email: Of the person, if one was asked about.
    fileprivate func text(_ email: String?) -> String {
        switch self {
        case .anybody: "anybody"
        case .signedIn: "signed in"
        case .creator: "creator, own records"
        case .role(let role): "role \(role)"
        case .person(_, let own): (email ?? "the person") + (own ? ", own records" : "")
        }
    }
}
