import CloudKitWire
import NephosRunner
import NephosStorage
import Testing

@testable import NephosMessages

/// docs/messages.md, "Editing".
@Suite("What a message contains, as a file") struct MessageContentTests {
    @Test("A message that is written as a file and read again is the same", arguments: MessageKind.allCases)
    func same(kind: MessageKind) async throws {
        let own = try await MessageCloud()
        let fields = MessageCloud.complete(
            kind,
            [
                "body": #"{"en":"Two\nlines: 1","es":"Dos 💃"}"#, "list": #"[{"en":"no","es":"sí"}]"#, "emoji": "👩‍👩‍👧",
                "imageLabel": #"{"en":"People","es":"Gente"}"#, "audience": #"{"percent": 10}"#,
            ])
        #expect(try own.save("a", fields, at: own.now + 250, until: own.now + 1_000, priority: -3) == "")
        let content = MessageContent("a", fields: try own.record("a").fields, note: "Ask\nGrace.")
        let text = try content.text
        #expect(text.contains("body:\n  en: |-\n    Two\n    lines: 1\n  es: Dos 💃\n"), "\(text)")
        let again = content.replaced(by: try MessageFile(text))
        #expect(try again.text == text)
        // An audience keeps its bytes, on which the draw of a percentage depends.
        #expect(content.edits(to: again).isEmpty, "\(text)")
    }

    @Test("A file replaces all fields; it keeps the picture, the note, and the start where it says so or says nothing")
    func replaced() async throws {
        let own = try await MessageCloud()
        #expect(try own.save("a", MessageCloud.complete(.website), picture: true, decorative: true) == "")
        let content = MessageContent("a", fields: try own.record("a").fields, note: "Ask Grace.")
        #expect(try content.text.contains("image:\n  kept: true\n  decorative: true\n"))
        let plain = "id: a\nkind: information\ntitle: {en: Hello}\n"
        func edited(_ more: String) throws -> [String: FieldEdit] {
            content.edits(to: content.replaced(by: try MessageFile(plain + more))).reduce(into: [:]) {
                $0[$1.field.text] = $1.edit
            }
        }
        let bare = try edited("")
        #expect(bare["image"] == .removed && bare["decorative"] == .removed && bare["url"] == .removed)
        #expect(bare["kind"] == .text("information") && bare["publishedAt"] == nil)
        let kept = try edited("image: {kept: true, decorative: true}\nuntil: 2999-01-01")
        #expect(kept["image"] == nil && kept["decorative"] == nil && kept["publishedAt"] == nil)
        #expect(try content.replaced(by: try MessageFile(plain)).text.hasSuffix("note: Ask Grace.\n"))
        #expect(try !content.replaced(by: try MessageFile(plain + "note: \"\"")).text.contains("note"))
    }
}
