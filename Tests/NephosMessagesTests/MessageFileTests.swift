import CloudKitWire
import NephosRunner
import NephosTesting
import NephosYAML
import Testing

@testable import NephosMessages

/// docs/messages.md, "A message as a file".
@Suite("Messages as files") struct MessageFileTests {
    @Test(
        "An invalid file is rejected with line and column",
        arguments: [
            ("", "it is empty: begin with id: NAME"), ("kind: email\n", "line 1, column 1: begin with id: NAME"),
            ("id: a\ncolour: red\n", "line 2, column 1: colour: unknown key; a message has id, audience, body"),
            ("id: a\nfrom: soon\n", "line 2, column 1: from: it is not a time"),
            ("id: a\npriority: high\n", "line 2, column 1: priority: "),
            ("id: &a a\n", "anchors and aliases are not supported"),
        ])
    func wrong(text: String, reason: String) {
        #expect {
            _ = try MessageFile(text)
        } throws: { error in
            "\(error)".contains(reason)
        }
    }

    @Test(
        "A time may have an offset, and be a day",
        arguments: [
            ("2027-03-07T09:00:00+01:00", 1_804_406_400_000), ("\"2027-03-06 22:30:00-0930\"", 1_804_406_400_000),
            ("2027-03-07", 1_804_377_600_000),
        ] as [(String, Int64)])
    func times(text: String, milliseconds: Int64) throws {
        #expect(try MessageFile("id: a\nkind: information\nfrom: \(text)\n").start == milliseconds)
    }

    @Test("A file becomes the record's fields, by default for everybody in slot main")
    func fields() throws {
        let file = try MessageFile(
            """
            id: a
            kind: newVersion
            requires: 2.5
            title: {en: "New", es: "Nuevo"}
            from: "2027-03-07 00:00 America/Los_Angeles"
            """)
        #expect(file.id == "a" && file.kind == "newVersion" && file.languages == ["en", "es"])
        #expect(file.start == 1_804_406_400_000)
        let texts = file.edits.reduce(into: [String: String]()) { texts, edit in
            if case .text(let text) = edit.1 { texts[edit.0.text] = text }
        }
        #expect(texts["requires"] == "2.5" && texts["title"] == #"{"en":"New","es":"Nuevo"}"#)
        #expect(texts["audience"] == "everybody" && texts["slot"] == "main")
    }
}
