import Foundation
import NephosCommands
import NephosTesting
import ServerTesting
import Synchronization
import Testing

/// docs/messages.md: commands of editors other than creating a first message.
@Suite("The commands for editors of messages") struct MessageEditorTests {
    private static let id = DataFolder.container
    private let folder: DataFolder

    init() throws { folder = try DataFolder.prepared() }

    private func run(_ words: String...) throws -> Outcome { try folder.run(["message"] + words) }

    private func new(_ id: String, _ more: String = "", in containers: [String] = [id], also: String...) throws
        -> Outcome
    {
        let path = folder.folder.path + "/\(id).yaml"
        let text = """
            id: \(id)
            kind: information
            title: {en: "\(id)"}
            body: {en: "Body."}
            buttons: {okay: {en: Fine}}
            \(more)
            """
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return try folder.run(["message", "new", Self.id, path] + also)
    }

    private func window(of id: String) throws -> String {
        let list = try run("list", Self.id).output.split(separator: "\n").first { $0.hasPrefix("\(id) ") } ?? ""
        return list.split(separator: " ").suffix(2).joined(separator: " ")
    }

    @Test("A conflict is rejected with both solutions; --replace ends the other message, --queue waits for its end")
    func rivals() throws {
        for name in ["a", "b", "c", "d"] { #expect(try new(name).status == 0) }
        #expect(try run("publish", Self.id, "a", "--at", "2999-01-01", "--until", "2999-01-10").status == 0)
        let refused = try run("publish", Self.id, "b", "--at", "2999-01-05", "--until", "2999-01-06")
        #expect(
            refused.status == 1 && refused.errors.contains("Record 'a' conflicts with it.")
                && refused.errors.contains("--replace") && refused.errors.contains("--queue"), "\(refused)")
        // For the requested duration, after all conflicting ones.
        #expect(
            try run("publish", Self.id, "b", "--at", "2999-01-05", "--until", "2999-01-06", "--queue").errors
                == "b will be shown in development from 2999-01-10T00:00:00Z on, until 2999-01-11T00:00:00Z.\n")
        let replaced = try run("publish", Self.id, "c", "--at", "2999-01-05", "--replace")
        #expect(
            replaced.errors
                == "c will be shown in development from 2999-01-05T00:00:00Z on.\na ends when c begins.\nb is a draft again.\n"
        )
        #expect(try window(of: "a") == "2999-01-01T00:00:00Z 2999-01-05T00:00:00Z")
        #expect(try window(of: "b") == "- -")
        // An end that is typed without a start is a moment, and stays.
        for name in ["a", "c"] { #expect(try run("withdraw", Self.id, name).status == 0) }
        #expect(try run("publish", Self.id, "b", "--until", "2999-01-20").status == 0)
        #expect(
            try run("publish", Self.id, "d", "--until", "2999-02-01", "--queue").errors
                == "d will be shown in development from 2999-01-20T00:00:00Z on, until 2999-02-01T00:00:00Z.\n")
        let late = try run("publish", Self.id, "c", "--until", "2999-01-20", "--queue")
        #expect(
            late.errors.hasPrefix("Error: b is shown until 2999-01-20T00:00:00Z, so c would end before it begins."),
            "\(late)")
        for name in ["b", "d"] { #expect(try run("withdraw", Self.id, name).status == 0) }
        #expect(try run("publish", Self.id, "c", "--at", "2999-01-05").status == 0)
        let endless = try run("publish", Self.id, "d", "--at", "2999-02-01", "--queue")
        #expect(endless.status == 1 && endless.errors.contains("c is in the way and has no end"), "\(endless)")
        #expect(try run("publish", Self.id, "d", "--replace", "--queue").errors.contains("not both"))
        #expect(try folder.run(["check", Self.id]).status == 0)
    }

    @Test("A wrong value is reported with the key that the file has for it")
    func wrongValue() throws {
        let refused = try new("a", "to: ada")
        #expect(
            refused.status == 1
                && refused.errors.contains(
                    "a.yaml: to: 'ada' is not a mail address such as ada@example.org. No message"),
            "\(refused)")
    }

    @Test("A note is for editors only: it is in no record, and commands show and replace it")
    func notes() throws {
        #expect(try new("a", "note: \"Ask Grace.\"").status == 0)
        #expect(try run("note", Self.id, "a").errors.hasPrefix("Ask Grace.\n("))
        #expect(try !folder.run(["records", "query", Self.id, "--record-type", "Message"]).output.contains("Grace"))
        #expect(try run("note", Self.id, "a", "Done.").status == 0)
        #expect(try run("note", Self.id, "a").errors.hasPrefix("Done.\n"))
        #expect(try run("note", Self.id, "a", "").errors == "There is no note about a.\n")
        #expect(try run("note", Self.id, "a").errors == "There is no note about a.\n")
        #expect(try run("note", Self.id, "a", String(repeating: "x", count: 4_097)).status == 1)
        #expect(try run("note", Self.id, "none", "x").errors.contains("There is no message none"))
    }

    @Test("A message's history names authors and times, and versions can be restored; on a conflict nothing changes")
    func history() throws {
        #expect(try new("a").status == 0 && new("b").status == 0)
        #expect(try run("publish", Self.id, "a", "--at", "2999-01-01").status == 0)
        #expect(try run("withdraw", Self.id, "a").status == 0)
        let history = try run("history", Self.id, "a").output
        #expect(
            history.contains(/3 .* draft +- +- +a .*by command/) && history.contains(/2 .* early +2999-01-01/),
            "\(history)")
        #expect(try run("publish", Self.id, "b", "--at", "2999-01-01").status == 0)
        // When it is shown stays, unless that is to be restored as well.
        #expect(try run("revert", Self.id, "a", "2").errors == "a is already as in version 2.\nIt is a draft.\n")
        #expect(try run("revert", Self.id, "a", "2", "--times").errors.contains("Record 'b' conflicts with it."))
        #expect(try run("withdraw", Self.id, "b").status == 0)
        #expect(
            try run("revert", Self.id, "a", "2", "--times").errors == """
                a is now as in version 2.
                It will be shown in development from 2999-01-01T00:00:00Z on.

                """)
        #expect(try window(of: "a") == "2999-01-01T00:00:00Z -")
        #expect(try run("revert", Self.id, "a", "9").errors.contains("No version 9 of a is kept."))
    }

    @Test("A message's history shows the texts that each version changed, and as JSON all of its text")
    func texts() throws {
        #expect(try new("a").status == 0)
        let path = try write("a", title: "Another")
        #expect(try run("edit", Self.id, "a", path, "--yes").status == 0)
        let history = try run("history", Self.id, "a").output
        #expect(history.contains("\nVersion 2:\n    title:\n  -   en: a\n  +   en: Another\n"), "\(history)")
        #expect(history.contains("\nVersion 1:\n  + id: a\n  + kind: information\n"), "\(history)")
        let last = try run("history", Self.id, "a", "--limit", "1").output
        #expect(last.contains("  -   en: a\n") && !last.contains("Version 1"), "\(last)")
        let json = try JSON(parsing: try run("history", Self.id, "a", "--output", "json").output).elements
        #expect(json.count == 2 && json.first?["title"] == "Another")
        #expect(json.last?["text"].string?.hasPrefix("id: a\nkind: information\ntitle:\n  en: a\n") == true)
    }

    private static let changed =
        "Changed message a in development.\nIt will be shown in development from 2999-01-01T00:00:00Z on.\n"

    /// A changed file of a message that ``new(_:_:in:also:)`` created. - Returns: Its path.
    private func write(_ id: String, title: String, _ more: String = "") throws -> String {
        let path = folder.folder.path + "/changed.yaml"
        let text = """
            id: \(id)
            kind: information
            title: {en: "\(title)"}
            body: {en: "Body."}
            buttons: {okay: {en: Fine}}
            \(more)
            """
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    @Test(
        "A message is changed by a file: the difference is shown first, and times and the note stay unless the file has them"
    )
    func edited() throws {
        #expect(try new("a", "emoji: \"💃\"\nnote: Ask Grace.").status == 0)
        #expect(try run("publish", Self.id, "a", "--at", "2999-01-01").status == 0)
        let path = try write("a", title: "Another")
        let asked = try run("edit", Self.id, "a", path)
        let difference = "  title:\n-   en: a\n+   en: Another\n- emoji: 💃\n"
        #expect(asked.status == 2 && asked.errors.hasPrefix(difference), "\(asked)")
        #expect(asked.errors.contains("Nothing was changed. Pass --yes to skip the prompt."), "\(asked)")
        let saved = try run("edit", Self.id, "a", path, "--yes")
        #expect(saved.status == 0 && saved.errors == difference + Self.changed, "\(saved)")
        let text = """
            id: a
            kind: information
            title:
              en: Another
            body:
              en: Body.
            buttons:
              okay:
                en: Fine
            audience: everybody
            slot: main
            from: "2999-01-01T00:00:00Z"
            note: Ask Grace.

            """
        #expect(try run("export", Self.id, "a").output == text)
        let again = try run("edit", Self.id, "a", path, "--yes")
        #expect(again.status == 0 && again.errors == "a has this content already. Nothing was changed.\n", "\(again)")
        // What is exported is what the command reads.
        #expect(try run("export", Self.id, "a", path).status == 0)
        #expect(try run("edit", Self.id, "a", path).errors == "a has this content already. Nothing was changed.\n")
        for (more, reason) in [
            ("to: ada", "changed.yaml: to: 'ada' is not a mail address"),
            ("colour: red", "line 6, column 1: colour: unknown key; a message has id, audience, body"),
            ("audience: nobody", "audience: there is no audience nobody in the settings, which have none"),
            (
                "audience: {lokale: es}",
                "audience: lokale: this version supports no such condition; did you mean locale?"
            ),
            ("image: {kept: true}", "image: the message has no picture to keep"),
        ] {
            let refused = try run("edit", Self.id, "a", try write("a", title: "Third", more), "--yes")
            #expect(refused.status == 1 && refused.errors.contains(reason), "\(refused)")
        }
        #expect(
            try run("edit", Self.id, "a", try write("b", title: "a"), "--yes").errors.contains(
                "id: it is b, but message a"))
        #expect(
            try run("edit", Self.id, "b", try write("b", title: "a"), "--yes").errors.contains("There is no message b"))
        #expect(try run("export", Self.id, "a").output == text)
        // An audience in YAML is a condition, and an empty note removes it.
        let more = "audience: {locale: es}\nnote: \"\"\nfrom: 2999-02-01\nuntil: 2999-02-02"
        #expect(try run("edit", Self.id, "a", try write("a", title: "Another", more), "--yes").status == 0)
        #expect(try run("note", Self.id, "a").errors == "There is no note about a.\n")
        #expect(try window(of: "a") == "2999-02-01T00:00:00Z 2999-02-02T00:00:00Z")
        #expect(try run("export", Self.id, "a").output.contains(#"audience: '{"locale":"es"}'"#))
        // An end alone does not make it a draft.
        let later = try run("edit", Self.id, "a", try write("a", title: "Another", "until: 2999-02-03"), "--yes")
        #expect(later.errors.hasSuffix("from 2999-02-01T00:00:00Z on, until 2999-02-03T00:00:00Z.\n"), "\(later)")
        #expect(try window(of: "a") == "2999-02-01T00:00:00Z 2999-02-03T00:00:00Z")
        #expect(try folder.run(["check", Self.id]).status == 0)
    }

    /// Runs a command on a terminal.
    ///
    /// - Parameters:
    ///   - lines: What is typed.
    ///   - editor: A script of shell that edits the file `$1`.
    private func onTerminal(_ lines: [String], editor: String, _ words: String...) throws -> Outcome {
        let path = folder.folder.path + "/editor"
        try editor.write(toFile: path, atomically: true, encoding: .utf8)
        let environment = ProcessInfo.processInfo.environment.merging(folder.store.environment) { $1 }
            .merging(["NEPHOS_DATA": folder.nephos.data, "VISUAL": "sh \(path)"]) { $1 }
        let typed = TypedLines(lines)
        let result = InProcessCommand.run(["message"] + words, environment, offering: nil) { context in
            context.isAnswered = true
            context.line = { typed.next }
        }
        return Outcome(status: result.status, output: result.output, errors: result.errors)
    }

    private final class TypedLines: Sendable {
        private let rest: Mutex<[String]>

        init(_ lines: [String]) { rest = Mutex(lines) }

        var next: String? { rest.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
    }

    @Test("A message is changed in an editor, which opens again after a mistake; nothing is saved without a yes")
    func editor() throws {
        #expect(try new("a").status == 0)
        func edit(_ lines: [String], _ editor: String) throws -> Outcome {
            try onTerminal(lines, editor: editor, "edit", Self.id, "a")
        }
        func title() throws -> String {
            try run("export", Self.id, "a").output.split(separator: "\n").first { $0.hasPrefix("  en: ") }.map(
                String.init) ?? ""
        }
        let change = #"sed -i 's/^  en: a$/  en: Another/' "$1""#
        let declined = try edit(["n"], change)
        #expect(declined.status == 1 && declined.errors.contains("+   en: Another\n"), "\(declined)")
        #expect(try title() == "  en: a")
        let unchanged = try edit([], "true")
        #expect(
            unchanged.status == 0 && unchanged.errors == "The text was not changed. Nothing was saved.\n",
            "\(unchanged)")
        let failed = try edit([], "exit 3")
        #expect(
            failed.status == 1 && failed.errors.contains("ended with an error (3). Nothing was saved."), "\(failed)")
        let broken = try edit(["n"], #"echo 'colour: red' >>"$1""#)
        #expect(broken.status == 1 && broken.errors.contains("colour: unknown key"), "\(broken)")
        #expect(try title() == "  en: a")
        // The second time, the mistake is in the text, and is corrected.
        let corrected = try edit(
            ["", "y"], "grep -q ^colour \"$1\" && sed -i /^colour/d \"$1\" || echo 'colour: red' >>\"$1\"\n\(change)\n")
        #expect(
            corrected.status == 0 && corrected.errors.hasSuffix("Changed message a in development.\nIt is a draft.\n"),
            "\(corrected)")
        #expect(corrected.errors.contains("Edit the text again? [Y/n]") && corrected.errors.contains("Continue? [y/N]"))
        #expect(try title() == "  en: Another")
        let none = try run("edit", Self.id, "a")
        #expect(none.status == 2 && none.errors.contains("An editor needs a terminal. Pass a file instead."), "\(none)")
    }

    @Test("Kinds and languages are added by command, which the refusal of a kind names")
    func added() throws {
        #expect(try new("a").status == 0)
        let path = folder.folder.path + "/web.yaml"
        try """
        id: web
        kind: website
        url: https://example.org/new
        title: {en: "Web"}
        body: {en: "Body."}
        buttons: {action: {en: Go}, cancel: {en: "No"}}
        """.write(toFile: path, atomically: true, encoding: .utf8)
        let remedy =
            "The settings do not permit kind website yet. Add it with: nephos message kind add \(Self.id) website\n"
        let draft = try run("new", Self.id, path)
        #expect(draft.status == 0 && draft.errors.hasSuffix(remedy), "\(draft)")
        let refused = try run("publish", Self.id, "web", "--at", "2999-01-01")
        #expect(refused.status == 1 && refused.errors.hasSuffix(remedy), "\(refused)")
        let kind = try run("kind", "add", Self.id, "website", "information")
        #expect(
            kind.errors
                == "Messages of kind website can be published in development. Production gets this with: nephos schema deploy \(Self.id)\n"
        )
        #expect(try run("publish", Self.id, "web", "--at", "2999-01-01").status == 0)
        #expect(try run("kind", "add", Self.id, "website").errors.contains("can be published already."))
        #expect(try run("kind", "add", Self.id, "poem").status == 2)
        let language = try run("language", "add", Self.id, "es")
        #expect(
            language.status == 0
                && language.errors.contains("\nWithout it: a, web. Add the texts with nephos message edit"))
        #expect(try run("language", "add", Self.id, "es").errors.contains("to have these languages already."))
        #expect(try run("language", "add", Self.id, "x_").status == 2)
        #expect(try run("publish", Self.id, "a").errors.contains("title: it is missing in es"))
        let settings = try folder.run(["settings", "export", Self.id]).output
        #expect(
            settings.contains("kinds: [information, website]") && settings.contains("languages: [en, es]"),
            "\(settings)")
        #expect(
            try run("list", Self.id, "--environment", "production").errors.contains("Production gets its settings with")
        )
    }

    @Test(
        "A picture is read from a file next to the message's; an unsupported format is rejected, and nothing is created"
    )
    func pictures() throws {
        let pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
        let path = folder.folder.path + "/pigeon.png"
        try #require(Data(base64Encoded: pixel)).write(to: URL(fileURLWithPath: path))
        #expect(try new("a", "image: {file: pigeon.png, decorative: true}\nfrom: 2999-01-01").status == 0)
        let records = try folder.run(["records", "query", Self.id, "--record-type", "Message"]).output
        #expect(records.contains("image"), "\(records)")
        try "<svg/>".write(toFile: path, atomically: true, encoding: .utf8)
        let wrong = try new("b", "image: {file: pigeon.png}")
        #expect(
            wrong.status == 1 && wrong.errors.contains("pigeon.png is not a picture that every phone can show"),
            "\(wrong)")
        #expect(try new("b", "image: {file: none.png}").status == 1)
        #expect(try new("b", "image: {colour: red}").errors.contains("an image has file, label and decorative"))
        // A published message must have a label (S2-23).
        try #require(Data(base64Encoded: pixel)).write(to: URL(fileURLWithPath: path))
        #expect(try new("b", "image: {file: pigeon.png}\nfrom: 2999-02-01").errors.contains("b.yaml: label: "))
        #expect(!(try run("list", Self.id).output.contains("b ")))
        #expect(try folder.run(["check", Self.id]).status == 0)
    }

    @Test("One message in several containers: one line for each, and running it again completes it (S2-37)")
    func several() throws {
        let other = "iCloud.test.second"
        let failed = try new("a", also: "--also", other)
        #expect(
            failed.status == 1 && failed.errors.contains("\(Self.id):\nCreated message a in development")
                && failed.errors.contains("Not done in \(other)."), "\(failed)")
        #expect(try folder.run(["container", "create", other]).status == 0)
        let again = try new("a", also: "--also", other)
        #expect(
            again.status == 0 && again.errors.contains("\(Self.id):\na already exists, with the same content.")
                && again.errors.contains("\(other):\nCreated message a in development"), "\(again)")
        #expect(try run("publish", Self.id, "a", "--also", other).status == 0)
        #expect(try run("list", other).output.contains(/a +information +published/))
        #expect(
            try run("withdraw", Self.id, "a", "--also", other).errors.contains(
                "\(other):\na will no longer be shown in development. It is a draft again."))
        let another = try new("a", "emoji: \"x\"")
        #expect(
            another.status == 1 && another.errors.contains("Message a already exists, with different content."),
            "\(another)")
    }

    @Test("An app's records of twelve fields become messages, and mirror them afterwards (S2-16, S2-25, S2-26)")
    func imported() throws {
        let schema = folder.folder.path + "/communs.ckdb"
        try """
        DEFINE SCHEMA
        RECORD TYPE Communs (
            "___recordID" REFERENCE QUERYABLE, title STRING, content STRING, image ASSET, imageLabel STRING,
            actionTitle STRING, cancelTitle STRING, okayTitle STRING, description STRING, type STRING,
            identifier INT64, version INT64, isCurrent INT64 QUERYABLE, GRANT READ TO "_world", GRANT WRITE TO "_creator"
        );
        """.write(toFile: schema, atomically: true, encoding: .utf8)
        #expect(try folder.run(["schema", "import", Self.id, schema]).status == 0)
        func commun(_ name: String, _ fields: [String: String], _ numbers: [String: Int]) throws {
            var all = [
                "title": "en=Title|es=Título", "content": "en=Body|es=Cuerpo", "okayTitle": "en=Ok|es=Vale",
                "actionTitle": "en=Do|es=Hacer", "cancelTitle": "en=No|es=No",
            ].merging(fields) { $1 }
                .map { "\"\($0)\":{\"type\":\"stringType\",\"value\":\"\($1)\"}" }
            all += numbers.map { "\"\($0)\":{\"type\":\"int64Type\",\"value\":\($1)}" }
            let made = try folder.run(
                [
                    "records", "create", Self.id, "--record-type", "Communs", "--record-name", name, "--fields-json",
                    "{\(all.joined(separator: ","))}",
                ])
            #expect(made.status == 0, "\(made)")
        }
        try commun(
            "old", ["type": "information", "description": "Ask Grace."],
            ["identifier": 3, "version": 0, "isCurrent": 0])
        try commun("now", ["type": "newVersion|2.5"], ["identifier": 4, "version": 0, "isCurrent": 1])
        try commun("web", ["type": "website"], ["identifier": 5, "version": 0, "isCurrent": 0])
        try commun("odd", ["type": "poem"], ["identifier": 6, "version": 0, "isCurrent": 0])
        let answer = try run("import", Self.id)
        #expect(
            answer.output.contains(/old +commun-3 +a draft/) && answer.output.contains(/now +commun-4 +shown/),
            "\(answer)")
        #expect(
            answer.output.contains(/web +commun-5 +a draft/)
                && answer.output.contains(/odd +- +type is poem: it must begin with/))
        #expect(
            answer.status == 1 && answer.errors.contains("1 of 4 records was not imported; see the table above."),
            "\(answer)")
        #expect(answer.errors.contains("is kept current in Communs from now on."))
        let other = try run("mirror", Self.id, "--type", "Message")
        #expect(other.status == 1 && other.errors.contains("Message cannot be the mirror: "), "\(other)")
        #expect(try run("list", Self.id).output.contains(/commun-4 +newVersion +published/))
        #expect(try run("note", Self.id, "commun-3").errors.hasPrefix("Ask Grace.\n"))
        #expect(try run("import", Self.id).output.contains(/now +commun-4 +already imported/))
        #expect(
            try folder.run(["records", "delete", Self.id, "--record-name", "odd", "--yes"]).status == 0)
        #expect(try run("import", Self.id).status == 0)
        #expect(try run("import", Self.id, "--type", "Nothing").errors.contains("there is no record type Nothing"))
    }
}
