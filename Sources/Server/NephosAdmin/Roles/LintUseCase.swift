import CloudKitWire
package import NephosRunner
import NephosStorage

extension UseCase {
    package static let lint = UseCase(
        "lint", .reads, lists: true, abstract: "Find roles and grants that are probably mistakes.",
        discussion: """
            Prints one line for each finding, with its fix. Fails if one of them is an error.

            Example:

              nephos lint iCloud.com.example.app
            """,
        .tenant
    ) { call, tenant in
        let findings = try call.administration.lint(tenant)
        let holder = try call.administration.holderWord(in: tenant)
        let rows = findings.map { finding in
            [
                finding.severity.rawValue, finding.subject.text, finding.description,
                finding.kind.remedy(in: tenant.container, holder: holder, call.command),
            ]
        }
        let errors = findings.count { $0.severity == .error }
        return .table(["severity", "subject", "finding", "mend it with"], rows, whenEmpty: "Nothing found.")
            .failing(errors == 0 ? nil : errors == 1 ? "1 error." : "\(errors) errors.")
    }
}

extension LintFinding.Kind {
    /// The command that fixes it.
    ///
    /// - Parameter holder: The placeholder for the holder of a role.
    fileprivate func remedy(in container: String, holder: String, _ command: (String) -> String) -> String {
        func preset(_ type: String, _ preset: String) -> String {
            command("role preset \(container) \(type) \(preset)")
        }
        func schemaChange(_ what: String) -> String {
            "nephos schema export \(container) FILE, \(what), \(command("schema import \(container) FILE"))"
        }
        return switch self {
        case .roleGuardsNothing(let role, let type): preset(type.quoted, "admin-only --role \(role.quoted)")
        case .anyoneMayWrite(let type): preset(type.quoted, "author-edits")
        case .anyoneMayCreate(let type): preset(type.quoted, "admin-only --role ROLE")
        case .creatorCannotRead(let type): preset(type.quoted, "signed-in")
        case .createForCreator: schemaChange("remove CREATE from \"_creator\"")
        case .sortWithoutIndex(_, let field): schemaChange("add SORTABLE to \(field)")
        case .roleWithoutGrants(let role): preset("TYPE", "admin-only --role \(role.quoted)")
        case .roleWithoutHolders(let role): command("role assign \(container) \(role.quoted) \(holder)")
        }
    }
}

extension Name {
    /// Quoted as one word for a shell.
    fileprivate var quoted: String {
        let isPlain = text.utf8.allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
        }
        return isPlain && !text.isEmpty ? text : "'\(text.replacing("'", with: "'\\''"))'"
    }
}
