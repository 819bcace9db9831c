import CloudKitSchema
import CloudKitWire
import NephosDomain
package import NephosRunner
import NephosStorage

extension UseCaseGroup {
    package static let roles = UseCaseGroup(
        "role", abstract: "Manage who can do what in the public database.",
        [UseCase.assignRole, UseCase.revokeRole, UseCase.listRoles, UseCase.explainRights, UseCase.presetGrants])
}

extension UseCase {
    fileprivate static let assignRole = UseCase(
        "role assign", .changes, abstract: "Give a role to a person.",
        discussion: """
            Applies to both environments, unless one is given. The person needs an account, but need not have signed in to the \
            container. It takes effect immediately, also for open sessions.

            Example:

              nephos role assign iCloud.com.example.app Admin mary@example.org
            """,
        .container, .role, .holder, .environments
    ) { call, container, role, who, environments in
        let changes = try await call.administration.assignRole(role, to: who, in: container, environments.list)
        return changes.reduce(.nothing) { answer, change in
            let place = change.environment.rawValue
            let told = answer.noting("\(who) \(change.isNew ? "holds" : "already held") role \(role) in \(place).")
            if change.roleIsThere { return told }
            let isProduction = change.environment == .production
            let next = isProduction ? call.command("schema deploy \(container)") : "CREATE ROLE in the schema"
            return told.noting("There is no such role in \(place) yet; it takes effect after: \(next)")
        }
    }

    fileprivate static let revokeRole = UseCase(
        "role revoke", .changes, abstract: "Take a role away from a person.",
        discussion: "Example:\n\n  nephos role revoke iCloud.com.example.app Admin mary@example.org",
        .container, .role, .holder, .environments
    ) { call, container, role, who, environments in
        let changes = try await call.administration.revokeRole(role, from: who, in: container, environments.list)
        return changes.reduce(.nothing) { answer, change in
            let what = change.isNew ? "lost" : "did not hold"
            return answer.noting("\(who) \(what) role \(role) in \(change.environment.rawValue).")
        }
    }

    fileprivate static let listRoles = UseCase(
        "role list", .reads, lists: true, abstract: "Print who holds which roles, in both environments.",
        discussion: """
            Without an address, prints everybody who holds a role.

            Example:

              nephos role list iCloud.com.example.app mary@example.org
            """,
        .container,
        Input<String?>.argument("email", help: "Only this person, or this server-to-server key by its id.")
    ) { call, container, who in
        let rows = try call.administration.roleHolders(in: container, who: who).map { holder in
            [
                holder.who, holder.environment.rawValue, holder.userRecordName ?? "-",
                holder.roles.isEmpty ? "-" : holder.roles.map(\.text).joined(separator: ", "),
            ]
        }
        let next = call.command("role assign \(container) ROLE EMAIL")
        return .table(
            ["who", "environment", "user record", "roles"], rows,
            whenEmpty: "Nobody holds a role. Assign one with: \(next)")
    }

    fileprivate static let explainRights = UseCase(
        "role explain", .reads, lists: true, abstract: "Print who can do what with the records of a type, and why.",
        discussion: "Example:\n\n  nephos role explain iCloud.com.example.app Article mary@example.org",
        .container, .typeName,
        Input<String?>.argument("email", help: "A person whose rights are printed as well."), .environment
    ) { call, container, type, who, environment in
        let tenant = Tenant(container: container, environment: environment)
        let rows = try call.administration.access(to: type, in: tenant, who: who).lines.map { line in
            [line.subject.text(who), line.right.rawValue, line.isAllowed ? "yes" : "no", line.why]
        }
        return .table(["who", "right", "may", "why"], rows)
    }

    fileprivate static let presetGrants = UseCase(
        "role preset", .changes, abstract: "Give a record type a common set of grants, in development.",
        discussion: """
            admin-only    anybody can read; only holders of the role can create, change and delete
            author-edits  anybody can read; signed-in users can create; creators can change and delete their records
            signed-in     signed-in users can read and create; creators can change and delete their records
            drop-box      signed-in users can create, and read, change and delete only their own records; holders of \
            the role can read all

            It replaces all grants of the type. Deploy afterwards.

            Example:

              nephos role preset iCloud.com.example.app Article admin-only --role Editor
            """,
        .container, .typeName, .grantPreset
    ) { call, container, type, preset in
        let administration = try call.administration
        let tenant = Tenant(container: container, environment: .development)
        let before = try administration.catalog(of: tenant)
        let difference = try await administration.apply(preset, to: type, in: container)
        let effects = before.effects(ofGrantsIn: try administration.schema(of: tenant)).lines
        return .note(([difference.description] + effects).joined(separator: "\n"))
            .noting("Apply it to production with: \(call.command("schema deploy \(container)"))")
    }
}

// MARK: Inputs

extension Input where Value == String {
    fileprivate static var role: Input { argument("role", help: "The name of the role in the schema.") }

    fileprivate static var holder: Input {
        argument("email", help: "The email address of the person's account, or the id of a server-to-server key.")
    }

    static var typeName: Input { argument("type", help: "The record type.") }
}

private enum Environments: String, InputWord, CaseIterable {
    case development, production, both

    var list: [Environment] {
        switch self {
        case .development: [.development]
        case .production: [.production]
        case .both: Environment.allCases
        }
    }
}

extension Input where Value == Environments {
    fileprivate static var environments: Input {
        option("environment", default: .both, help: "Where: development, production or both.")
    }
}

private enum PresetName: String, InputWord, CaseIterable {
    case adminOnly = "admin-only"
    case authorEdits = "author-edits"
    case signedIn = "signed-in"
    case dropBox = "drop-box"
}

extension Input where Value == GrantPreset {
    fileprivate static var grantPreset: Input {
        Input(
            Input<PresetName>.argument("preset", help: "admin-only, author-edits, signed-in or drop-box."),
            Input<String?>.option(
                "role", help: "For admin-only and drop-box: the role; created if it is missing. (default: Admin)")
        ) { preset, role throws(WrongInput) in
            let name = Name(role ?? "Admin")
            switch preset {
            case .adminOnly: return .adminOnly(role: name)
            case .dropBox: return .dropBox(role: name)
            case .authorEdits, .signedIn:
                guard role == nil else { throw WrongInput("--role is only for admin-only and drop-box.") }
                return preset == .signedIn ? .signedIn : .authorEdits
            }
        }
    }
}

// MARK: Texts

extension HeldRole {
    fileprivate var text: String {
        guard let name else { return "(removed role \(number))" }
        return isThere ? name.text : "\(name) (does not exist yet)"
    }
}

extension AccessTable.Subject {
    /// - Parameter who: The person, if one was specified.
    fileprivate func text(_ who: String?) -> String {
        switch self {
        case .anonymous: "anybody"
        case .signedIn: "signed in"
        case .creator: "creator, own records"
        case .role(let role): "role \(role)"
        case .person(_, let own): (who ?? "the person") + (own ? ", own records" : "")
        }
    }
}
