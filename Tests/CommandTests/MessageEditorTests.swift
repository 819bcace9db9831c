import Foundation
import NephosTesting
import ServerTesting
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

    @Test("A note is for editors only: it is in no record, and no endpoint shows it (S2-30)")
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
        #expect(try run("revert", Self.id, "a", "2").errors.contains("Record 'b' conflicts with it."))
        #expect(try run("withdraw", Self.id, "b").status == 0)
        #expect(try run("revert", Self.id, "a", "2").errors == "a is now as in version 2.\n")
        #expect(try window(of: "a") == "2999-01-01T00:00:00Z -")
        #expect(try run("revert", Self.id, "a", "9").errors.contains("No version 9 of a is kept."))
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
        #expect(answer.errors.contains("is kept current in Communs from now on."))
        let other = try run("mirror", Self.id, "--type", "Message")
        #expect(other.status == 1 && other.errors.contains("Message cannot be the mirror: "), "\(other)")
        #expect(try run("list", Self.id).output.contains(/commun-4 +newVersion +published/))
        #expect(try run("note", Self.id, "commun-3").errors.hasPrefix("Ask Grace.\n"))
        #expect(try run("import", Self.id).output.contains(/now +commun-4 +already imported/))
        #expect(try run("import", Self.id, "--type", "Nothing").errors.contains("there is no record type Nothing"))
    }
}
