import Foundation
import NephosTesting
import ServerTesting
import Testing

/// docs/messages.md, "The first message".
@Suite("The commands for messages") struct MessageCommandTests {
    private static let id = DataFolder.container

    private static let file = """
        id: anniversary
        kind: newVersion
        requires: "2.5"
        title: {en: "New in 2.5", es: "Novedades"}
        body: {en: "It has flags.", es: "Tiene banderas."}
        buttons: {action: {en: Update, es: Actualizar}, cancel: {en: "No", es: "No"}, okay: {en: "Have it", es: "Ya la tengo"}}

        """

    @Test("A message is created complete, published, listed and withdrawn, and a conflicting one is named")
    func published() throws {
        let folder = try DataFolder.prepared()
        func new(_ text: String) throws -> Outcome {
            try text.write(toFile: folder.folder.path + "/message.yaml", atomically: true, encoding: .utf8)
            return try folder.run(["message", "new", Self.id, folder.folder.path + "/message.yaml"])
        }
        let none = try folder.run(["message", "list", Self.id])
        #expect(none.status == 0 && none.errors.contains("has no messages. Create the first with:"), "\(none)")
        let first = try new(Self.file)
        #expect(
            first.status == 0
                && first.errors.contains("Created message anniversary in development, a draft. Publish it with:"),
            "\(first)")
        #expect(
            first.errors.contains("Created the record type Message")
                && first.errors.contains("Created the section messages"))
        #expect(try new(Self.file).errors == "anniversary already exists, with the same content.\n")
        let different = try new(Self.file + "emoji: x\n")
        #expect(
            different.status == 1
                && different.errors.contains(
                    "Message anniversary already exists, with different content. Change it with: nephos message edit \(Self.id) anniversary"
                ), "\(different)")
        func run(_ words: String...) throws -> Outcome { try folder.run(["message"] + words) }
        #expect(
            try run("publish", Self.id, "anniversary", "--at", "2999-03-07", "--until", "2999-03-08").errors
                == "anniversary will be shown in development from 2999-03-07T00:00:00Z on, until 2999-03-08T00:00:00Z.\n"
        )
        let list = try run("list", Self.id).output
        #expect(list.contains(/anniversary +newVersion +early +main +everybody +2999-03-07/), "\(list)")
        let second = try new(Self.file.replacing("anniversary", with: "second") + "from: 2999-03-07T12:00:00Z\n")
        #expect(second.status == 1 && second.errors.contains("Record 'anniversary' conflicts with it."), "\(second)")
        #expect(
            try run("withdraw", Self.id, "anniversary").errors
                == "anniversary will no longer be shown in development. It is a draft again.\n")
        #expect(
            try run("withdraw", Self.id, "anniversary").errors
                == "anniversary is a draft in development already. Nothing was changed.\n")
        // Nobody has seen it, so nothing is forgotten.
        #expect(try run("publish", Self.id, "anniversary", "--at", "2999-03-08", "--again").status == 0)
        #expect(try run("withdraw", Self.id, "anniversary").status == 0)
        let third = try new(Self.file.replacing("anniversary", with: "second") + "from: 2999-03-07T12:00:00Z\n")
        #expect(
            third.errors.contains(
                "Created message second. It will be shown in development from 2999-03-07T12:00:00Z on."), "\(third)")
        #expect(try run("stats", Self.id, "second").output.contains(/second +0 +0 +0/))
        #expect(try run("publish", Self.id, "nothing").errors.contains("There is no message nothing"))
        #expect(
            try run("publish", Self.id, "second", "--until", "1999-01-01").errors.contains("would end before it begins")
        )
        #expect(try new("id: third\n").errors.contains("kind: it is missing. It must be one of information, website"))
        #expect(
            try new("id: third\ncolour: red\n").errors.contains("line 2, column 1: colour: unknown key; a message has"))
    }

    @Test("Lint prints its findings as a table or as JSON, and fails if one is an error")
    func lint() throws {
        let folder = try Self.prepared(
            Self.file.replacing(", cancel: {en: \"No\", es: \"No\"}", with: "")
                .replacing("It has flags.", with: "Rate us with 5 stars."))
        func lint(_ words: String...) throws -> Outcome { try folder.run(["message", "lint", Self.id] + words) }
        let found = try lint()
        #expect(
            found.status == 1 && found.errors.contains("2 problems in the messages; see the table above."), "\(found)")
        #expect(found.errors.contains("The reach of messages is not known: set report: true under clients"))
        #expect(
            found.output.contains(/anniversary +en +error +incomplete +buttons: the button cancel is missing in en/))
        #expect(found.output.contains(/anniversary +en +warning +store rule 1 +it asks for a rating: let the system/))
        #expect(
            try folder.run(["message", "publish", Self.id, "anniversary"]).errors.contains(
                "anniversary cannot be published: buttons: the button cancel is missing in en. Nothing was changed."))
        let json = try lint("anniversary", "--output", "json")
        let findings = try JSON(reading: Array(json.output.utf8)).elements
        #expect(json.status == 1 && findings.map { $0["language"].string } == ["en", "es", "en"])
        #expect(findings.map { $0["rule"].string } == ["incomplete", "incomplete", "store rule 1"])
        #expect(try lint("nothing").errors.contains("There is no message nothing in"))
        #expect(try Self.prepared(Self.file).run(["message", "lint", Self.id]).status == 0)
    }

    @Test("Unintended rights to publish messages are an error, with the command that fixes them")
    func rights() throws {
        let folder = try Self.prepared(Self.file)
        #expect(try folder.run(["role", "preset", Self.id, "Message", "author-edits"]).status == 0)
        let found = try folder.run(["message", "lint", Self.id])
        #expect(
            found.status == 1 && found.output.contains(/- +- +error +rights +everybody who is signed in can publish/))
        #expect(found.output.contains("role preset \(Self.id) Message admin-only --role Admin"))
        #expect(try folder.run(["role", "preset", Self.id, "Message", "admin-only", "--role", "Admin"]).status == 0)
        #expect(try folder.run(["message", "lint", Self.id]).output == "")
    }

    @Test("A draft is shown as text, as a page in a file, and by a link; conflicting options are rejected")
    func preview() throws {
        let folder = try Self.prepared(Self.file)
        func preview(_ words: String...) throws -> Outcome {
            try folder.run(["message", "preview", Self.id, "anniversary"] + words)
        }
        let all = try preview()
        #expect(all.status == 0 && all.output.components(separatedBy: "┌").count == 5, "\(all)")
        let one = try preview("--language", "es", "--state", "done").output
        #expect(
            one.hasPrefix("es, already updated\n┌") && one.contains("[ Ya la tengo ]") && !one.contains("Actualizar"))
        #expect(one.split(separator: "\n").contains { $0.hasPrefix("│ ") && $0.contains("  Novedades  ") })
        let path = folder.folder.path + "/page.html"
        #expect(try preview("--page", path).status == 0)
        let page = try String(contentsOfFile: path, encoding: .utf8)
        #expect(page.hasPrefix("<!doctype html>") && page.contains("Tiene banderas.") && !page.contains("<script"))
        let link = try preview("--link", "--server", "https://cloud.example.org/")
        let address = "https://cloud.example.org/nephos/1/\(Self.id)/development/messages/preview?t="
        #expect(link.output.hasPrefix(address) && link.output.count == address.count + 65, "\(link)")
        #expect(link.errors == "The link works once, for 15 minutes.\n")
        #expect(try preview("--link").output.hasPrefix("/nephos/1/"))
        for (words, reason) in [
            (["--link", "--page", path], "Pass --page or --link, not both."),
            (["--server", "https://a"], "needs --link"),
            (["--link", "--server", "a"], "must be an address such as"),
            (["--language", "x_"], "is not a language such as"),
            (["--state", "half"], "half"),
        ] {
            let refused = try folder.run(["message", "preview", Self.id, "anniversary"] + words)
            #expect(refused.status != 0 && refused.errors.contains(reason), "\(refused)")
        }
        #expect(try folder.run(["message", "preview", Self.id, "none"]).errors.contains("There is no message none"))
    }

    /// A folder with a message from a file.
    private static func prepared(_ file: String) throws -> DataFolder {
        let folder = try DataFolder.prepared()
        try file.write(toFile: folder.folder.path + "/message.yaml", atomically: true, encoding: .utf8)
        #expect(try folder.run(["message", "new", id, folder.folder.path + "/message.yaml"]).status == 0)
        return folder
    }
}
