import Foundation
import NephosTesting
import Testing

/// docs/settings.md: commands of operators for the settings of a container.
@Suite("The commands for settings") struct SettingsCommandTests {
    private static let id = DataFolder.container

    private static let text = """
        version: 1
        # Whom we write for.
        audiences:
          spanish: {all: [{locale: [es]}, {app: ">=2.3 <3"}]}
          norway: {country: [NO]}

        """

    private func importing(_ text: String, _ folder: DataFolder, _ arguments: String...) throws -> Outcome {
        try text.write(toFile: folder.folder.path + "/settings.yaml", atomically: true, encoding: .utf8)
        return try folder.run(["settings", "import", Self.id, "FOLDER/settings.yaml"] + arguments)
    }

    @Test("A file is imported and exported with its comments, and every change is recorded with its author")
    func imported() throws {
        let folder = try DataFolder.prepared()
        #expect(try folder.run(["settings", "export", Self.id]).output == "version: 1\n")
        let first = try importing(Self.text, folder)
        #expect(first.status == 0 && first.errors.hasPrefix("Settings:\n  + audiences\n"), "\(first)")
        #expect(try importing(Self.text, folder).errors == "Nothing changed: the settings were the same already.\n")
        #expect(try folder.run(["settings", "export", Self.id]).output == Self.text)
        #expect(
            try importing("version: 1\n", folder).errors.contains(
                "Sections that were removed are in the history; to restore them, "))
        let history = try folder.run(
            ["settings", "history", Self.id], environment: ["USER": "ada", "SUDO_USER": "eve"]
        ).output
        let rows = history.split(separator: "\n").dropFirst()
        #expect(
            rows.count == 2 && rows.first?.contains("removed") == true && rows.allSatisfy { $0.contains("audiences") })
        #expect(try folder.run(["check"]).status == 0)
    }

    @Test("Sections that the file leaves out, and those that it adds, are marked, with their lines")
    func removed() throws {
        let folder = try DataFolder.prepared()
        #expect(try importing(Self.text, folder).status == 0)
        let outcome = try importing("version: 1\nclients: {report: true}\n", folder)
        #expect(
            outcome.errors.contains("  - audiences\n    - spanish:\n")
                && outcome.errors.contains("  + clients\n    + report: true\n"),
            "\(outcome)")
    }

    @Test("Under sudo the author is the original user")
    func author() throws {
        let folder = try DataFolder.prepared()
        try Self.text.write(toFile: folder.folder.path + "/settings.yaml", atomically: true, encoding: .utf8)
        let arguments = ["settings", "import", Self.id, "FOLDER/settings.yaml"]
        #expect(try folder.run(arguments, environment: ["USER": "root", "SUDO_USER": "ada"]).status == 0)
        #expect(try folder.run(["settings", "history", Self.id]).output.contains("ada by command"))
    }

    @Test(
        "An invalid file changes nothing and reports the position and the reason",
        arguments: [
            (
                "version: 1\naudiences:\n  a: {app: 1..2}\n",
                "line 3, column 7: audiences.a.app: expected versions such as >=2.3 <3"
            ),
            ("version: 1\naudiences:\n  a: {audience: b}\n", "line 3, column 3: audiences.a: there is no audience b"),
            (
                "version: 1\naudiences:\n  a: {any: [{locale: es}, {lokale: fr}]}\n",
                "line 3, column 28: audiences.a.any[1].lokale: this version supports no such condition; did you mean locale?"
            ),
            (
                "version: 1\naudiences:\n  a: {os: \">=18 <17\"}\n",
                "line 3, column 7: audiences.a.os: no version is in the range >=18 <17: its bounds exclude each other"
            ),
            ("version: 1\naudiences: [a]\n", "line 2, column 1: audiences: expected an object"),
            (
                "version: 1\nflagz: {}\n",
                "line 2, column 1: there is no section flagz; a settings file can contain version, audiences, clients, constraints, content, flags"
            ),
            (
                "version: 1\naudiences: {a: &a {app: \"1\"}}\n",
                "line 2, column 16: anchors and aliases are not supported"
            ),
        ])
    func refused(_ text: String, _ reason: String) throws {
        let folder = try DataFolder.prepared()
        _ = try importing(Self.text, folder)
        let outcome = try importing(text, folder)
        #expect(outcome.status == 1 && outcome.errors.hasPrefix("Error: \(reason)"), "\(outcome.errors)")
        #expect(try folder.run(["settings", "export", Self.id]).output == Self.text)
    }

    @Test("A dry run shows changes line by line and changes nothing")
    func difference() throws {
        let folder = try DataFolder.prepared()
        _ = try importing(Self.text, folder)
        let other = Self.text.replacing("[NO]", with: "[NO, SE]")
        try other.write(toFile: folder.folder.path + "/other.yaml", atomically: true, encoding: .utf8)
        let diff = try folder.run(["settings", "diff", Self.id, "FOLDER/other.yaml"])
        #expect(
            diff.output
                == "Settings:\n  ~ audiences\n      norway:\n    -   country: [\"NO\"]\n    +   country: [\"NO\", SE]\n"
        )
        #expect(try folder.run(["settings", "export", Self.id]).output == Self.text)
    }

    @Test(
        "Sections are deployed to production with the schema, and cannot be changed there by an import; a reset restores them"
    )
    func deployed() throws {
        let folder = try DataFolder.prepared()
        _ = try importing(Self.text, folder)
        let refused = try importing(Self.text, folder, "--environment", "production")
        #expect(refused.status == 1)
        #expect(
            refused.errors.contains("line 3, column 1: in production audiences is set only by nephos schema deploy"))
        #expect(
            try folder.run(["schema", "deploy", Self.id, "--dry-run"]).output.contains("Settings:\n  + audiences\n"))
        #expect(try folder.run(["schema", "deploy", Self.id]).status == 0)
        let deployed = try folder.run(["settings", "export", Self.id, "--environment", "production"]).output
        #expect(deployed.contains(#"country: ["NO"]"#) && deployed.contains("'>=2.3 <3'"))
        // Settings that already apply may be imported.
        #expect(
            try importing(deployed, folder, "--environment", "production").errors
                == "Nothing changed: the settings were the same already.\n")
        _ = try importing("version: 1\n", folder)
        #expect(try folder.run(["schema", "reset", Self.id, "--yes"]).status == 0)
        #expect(try folder.run(["settings", "export", Self.id]).output == deployed)
    }
}
