import ArgumentParser
import CloudKitWire
import NephosAdmin
import NephosRunner
import NephosStorage

struct LintCommand: AdministrationCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint", abstract: "Find roles and grants that are hardly meant so.",
        discussion: """
            Prints one line for each finding, with what mends it. Fails when one of them is an error.

            Example:

              nephos lint iCloud.com.example.app
            """)

    @Argument(help: "The container's id.")
    var container: String
    @OptionGroup var environment: EnvironmentOption
    @OptionGroup var data: DataOptions

    func run(_ administration: Administration) async throws {
        let findings = try administration.lint(environment.tenant(of: container))
        guard !findings.isEmpty else { return Terminal.note("Nothing found.") }
        let rows = findings.map { finding in
            [finding.severity.rawValue, finding.subject.text, finding.description, remedy(finding.kind)]
        }
        Terminal.answer(Table(["severity", "subject", "finding", "mend it with"], rows).text)
        let errors = findings.count { $0.severity == .error }
        if errors > 0 { throw Failure(errors == 1 ? "1 error." : "\(errors) errors.") }
    }

    /// The command that mends it.
    private func remedy(_ kind: LintFinding.Kind) -> String {
        switch kind {
        case .roleGuardsNothing(let role, let type):
            command("role preset \(container) \(quoted(type.text)) admin-only --role \(quoted(role.text))")
        case .anyoneMayWrite(let type): command("role preset \(container) \(quoted(type.text)) author-edits")
        case .anyoneMayCreate(let type): command("role preset \(container) \(quoted(type.text)) admin-only --role ROLE")
        case .creatorCannotRead(let type): command("role preset \(container) \(quoted(type.text)) signed-in")
        case .createForCreator: schemaChange("take CREATE from \"_creator\"")
        case .sortWithoutIndex(_, let field): schemaChange("write SORTABLE behind \(field)")
        case .roleWithoutGrants(let role):
            command("role preset \(container) TYPE admin-only --role \(quoted(role.text))")
        case .roleWithoutHolders(let role): command("role assign \(container) \(quoted(role.text)) EMAIL")
        }
    }

    private func command(_ text: String) -> String { "nephos \(text)\(data.asWritten)" }

    private func schemaChange(_ what: String) -> String {
        "nephos schema export \(container) FILE, \(what), \(command("schema import \(container) FILE"))"
    }

    /// As a shell takes it for one word.
    private func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
        }
        return isPlain && !text.isEmpty ? text : "'\(text.replacing("'", with: "'\\''"))'"
    }
}
