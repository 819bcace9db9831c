import CloudKitWire
import NephosTesting
import Testing

@testable import NephosSettings
@testable import NephosYAML

/// docs/settings.md, "YAML" and "The file".
@Suite("Settings files") struct SettingsTextTests {
    private func problem(_ text: String) -> String {
        do throws(YAMLFailure) {
            _ = try SettingsText(text)
            return ""
        } catch {
            return error.description
        }
    }

    private func document(_ yaml: String) throws -> String {
        let sections = try SettingsText("version: 1\nsection:\(yaml)").sections
        return String(decoding: try #require(sections.first).document, as: UTF8.self)
    }

    @Test(
        "Scalars have the meaning of YAML 1.2, and numbers keep their digits",
        arguments: [
            (" {a: NO, b: on, c: yes, d: 'true', e: \"1\"}", #"{"a":"NO","b":"on","c":"yes","d":"true","e":"1"}"#),
            (" [true, False, null, ~, 1, -2.50, 1e3, 0.1]", "[true,false,null,null,1,-2.50,1e3,0.1]"),
            (
                " [1_000, 0x1F, 012, +1, .5, 1., 12:30, 2027-03-07]",
                #"["1_000","0x1F","012","+1",".5","1.","12:30","2027-03-07"]"#
            ),
            ("\n  text: |\n    a & *b*\n    c\n", #"{"text":"a & *b*\nc\n"}"#),
            ("\n- '>=2.3 <3'\n- 5 *stars*", #"[">=2.3 <3","5 *stars*"]"#),
            (" {key with blanks: 1, \"a.b\": {\"\": 2}}", #"{"key with blanks":1,"a.b":{"":2}}"#), ("", "null"),
        ])
    func scalars(_ yaml: String, _ json: String) throws { #expect(try document(yaml) == json) }

    @Test(
        "An invalid file is rejected with line and column",
        arguments: [
            ("", "it is empty: begin with version: 1"), ("# nothing\n", "it is empty: begin with version: 1"),
            ("a: 1\n", "line 1, column 1: the file must begin with version: 1"),
            ("version: 2\n", "line 1, column 10: version must be 1"),
            ("version: [1]\n", "line 1, column 10: version must be 1"),
            ("- a\n", "line 1, column 1: it must be a list of names with values, beginning with version: 1"),
            ("version: 1\na: [\n", "line 3, column 1: this is not valid YAML"),
            ("version: 1\na: {b: 1, b: 2}\n", "line 2, column 5: the key b appears twice"),
            ("version: 1\na: 1\na: 2\n", "line 2, column 1: the key a appears twice"),
            ("version: 1\na: {1: 1, \"1\": 2}\n", "line 2, column 11: the key 1 appears twice"),
            ("version: 1\na: 1\n!x a: 2\n", "line 3, column 1: the key a appears twice"),
            ("version: 1\na: &x {b: 1}\nc: *x\n", "line 2, column 4: anchors and aliases are not supported"),
            ("version: 1\na: &x 1\n", "line 2, column 4: anchors and aliases are not supported"),
            ("version: 1\na: *x\n", "line 2, column 4: this is not valid YAML: found undefined alias"),
            ("version: 1\na: {? [b] : 1}\n", "line 2, column 7: a key must be a word"),
            ("version: 1\n--- \nb: 1\n", "line 2, column 1: this is not valid YAML"),
            ("version: 1\n\ta: 1\n", "line 2, column 1: this is not valid YAML"),
        ])
    func refused(_ text: String, _ reason: String) {
        #expect(problem(text).hasPrefix(reason), "\(problem(text))")
    }

    @Test("Expansion bombs are rejected before they use memory")
    func bombs() {
        let lines = (1...40).map {
            "a\($0): &a\($0) [\(Array(repeating: "*a\($0 - 1)", count: 9).joined(separator: ","))]"
        }
        #expect(
            problem("version: 1\na0: &a0 [1]\n" + lines.joined(separator: "\n")).contains(
                "anchors and aliases are not supported"))
        let keys = (1...12).map { "? [*a\($0 - 1), *a\($0 - 1)]\n: &a\($0) [*a\($0 - 1), *a\($0 - 1)]" }
        #expect(
            problem("version: 1\na0: &a0 [1]\n" + keys.joined(separator: "\n")).contains(
                "anchors and aliases are not supported"))
        #expect(problem("version: 1\na: " + String(repeating: "[", count: 100_000)).contains("Maximum nesting level"))
        #expect(
            problem("version: 1\na: " + String(repeating: "[", count: 900) + String(repeating: "]", count: 900))
                .contains("nested more than 32 deep"))
        #expect(
            problem("version: 1\na:\n" + String(repeating: "- ", count: 900) + "1").contains("nested more than 32 deep")
        )
        #expect(
            problem("version: 1\n#" + String(repeating: " ", count: 256 << 10)).contains(
                "it has 262156 bytes; at most 262144 are allowed"))
    }

    @Test("A path of a section has its position in the file, and a longer one the nearest")
    func places() throws {
        let text = try SettingsText(
            "version: 1\naudiences:\n  spanish:\n    all:\n    - {locale: [es]}\n    - {app: x}\n")
        #expect(text.place(of: "audiences.spanish.all[1].app")?.description == "line 6, column 8")
        #expect(text.place(of: "audiences.spanish.all[0].locale[0]")?.description == "line 5, column 17")
        #expect(text.place(of: "audiences.spanish.all[1].app.more[3]")?.description == "line 6, column 8")
        #expect(text.place(of: "audiences")?.description == "line 2, column 1" && text.place(of: "gone") == nil)
    }

    @Test("Printed settings have the same meaning when they are read", arguments: Seeds.all(200))
    func roundTrip(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var json = JSONWriter()
        json.randomValue(depth: 4, &generator)
        let text = try SettingsText.print([("one", json.bytes[...])])
        let read = try SettingsText(text).sections
        #expect(read.map(\.name) == ["one"])
        #expect(
            read.first.map { String(decoding: $0.document, as: UTF8.self) }
                == String(decoding: json.bytes, as: UTF8.self), "\(text)")
    }
}

extension JSONWriter {
    fileprivate mutating func randomValue(depth: Int, _ generator: inout SeededGenerator) {
        switch Int.random(in: 0...(depth > 0 ? 6 : 4), using: &generator) {
        case 0: null()
        case 1: bool(.random(using: &generator))
        case 2: int64(.random(in: -1_000...1_000, using: &generator))
        case 3: double(Double(Int.random(in: -1_000...1_000, using: &generator)) / 8)
        case 4: string(Self.texts.randomElement(using: &generator) ?? "")
        case 5:
            beginArray()
            for _ in 0..<Int.random(in: 0...3, using: &generator) { randomValue(depth: depth - 1, &generator) }
            endArray()
        default:
            beginObject()
            for text in Self.texts.shuffled(using: &generator).prefix(Int.random(in: 0...4, using: &generator)) {
                key(named: Name(text))
                randomValue(depth: depth - 1, &generator)
            }
            endObject()
        }
    }

    private static let texts = [
        "", " ", "a", "NO", "yes", "~", "null", "true", "1", "-2.5", "0x1F", "1_000", "12:30", "2027-03-07", ">=2.3 <3",
        "*a", "&a", "!a", "%a", "@a",
        "`a", "a: b", "a #b", "#a", "- a", "? a", "|", ">", "[a", "{a}", "\"quoted\"", "it's", "line\nbreak\n", "\ttab",
        "trailing ", "é", "🎃",
        "\u{7}", "\u{85}", "\u{2028}", "\\n", "a,b", "...", "---", "<<", "=", ".5", "1.", "+1",
    ]
}
