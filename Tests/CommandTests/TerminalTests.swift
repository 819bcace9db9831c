import Foundation
import NephosCommands
import NephosRunner
import NephosTesting
import ServerTesting
import Testing

/// docs/running.md, "Output of commands": what is stored never controls the terminal of the person who looks at it.
@Suite("Stored texts on a terminal", .onOneEngine) struct TerminalTests {
    /// Clears a screen, sets a title, reports a key as typed, rewrites a line, and turns the direction of what follows.
    private static let hostile =
        "a\u{1B}[2Jb\u{1B}]0;title\u{7}c\u{9B}31md\u{90}q\u{9C}e\rf\u{8}g\u{7F}h\u{202E}i\u{2066}j\u{2069}k\u{0}l\u{85}m\u{200E}n\u{200F}o\u{61C}p"

    private func isHarmless(_ text: String) -> Bool {
        !text.unicodeScalars.contains { scalar in
            (scalar.properties.generalCategory == .control && scalar != "\n" && scalar != "\t")
                || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
                || [0x61C, 0x200E, 0x200F].contains(scalar.value)
        }
    }

    private static let samples = UseCaseGroup(
        "sample", abstract: "Samples.",
        [
            UseCase("sample list", .reads, store: .none, lists: true, abstract: "Print a table.") { _ in
                .table(["name", "last"], [[hostile, "x"], ["y", hostile]])
            },
            UseCase("sample text", .reads, store: .none, abstract: "Print a text.") { _ in
                .text("one\t\(hostile)\ntwo")
            },
            UseCase("sample bytes", .reads, store: .none, abstract: "Print bytes.") { _ in
                var json = Array("{\"a\":\"".utf8)
                json += Array("\u{9B}2J\u{202E}\u{7F}é🦊\"}\r\n".utf8)
                return .bytes(json)
            },
            UseCase("sample note", .reads, store: .none, abstract: "Print a note.") { _ in .note(hostile) },
            UseCase("sample failure", .reads, store: .none, abstract: "Fail.") { _ in
                throw NephosRunner.Failure(hostile)
            },
            UseCase("sample question", .reads, store: .none, abstract: "Ask.") { call in
                call.progress(hostile)
                return .text(call.ask(hostile) ?? "none")
            },
        ])

    private func run(_ line: String, isTerminal: Bool) -> CommandResult {
        InProcessCommand.run(line.split(separator: " ").map(String.init), offering: [Self.samples]) { context in
            context.isShown = isTerminal
            context.isWatched = isTerminal
        }
    }

    @Test(
        "Nothing of them that controls a terminal is printed to one, in any kind of output",
        arguments: ["list", "list --output json", "text", "bytes", "note", "failure", "question"])
    func everyKind(_ words: String) {
        let result = run("sample \(words)", isTerminal: true)
        #expect(isHarmless(result.output), "\(result)")
        // The command's own control of the line that shows progress.
        #expect(isHarmless(result.errors.replacing("\r\u{1B}[K", with: "")), "\(result)")
        #expect(!(result.output + result.errors).isEmpty)
    }

    @Test("Tables, notes and errors are harmless in a file too") func files() {
        for words in ["list", "note", "failure"] {
            let result = run("sample \(words)", isTerminal: false)
            #expect(isHarmless(result.output) && isHarmless(result.errors), "\(result)")
        }
    }

    @Test("What a file or another program gets is exact") func exact() {
        #expect(run("sample text", isTerminal: false).output == "one\t\(Self.hostile)\ntwo\n")
        #expect(run("sample bytes", isTerminal: false).output == "{\"a\":\"\u{9B}2J\u{202E}\u{7F}é🦊\"}\r\n")
    }

    @Test("JSON on a terminal is the same JSON") func json() throws {
        let (shown, exact) = (run("sample bytes", isTerminal: true), run("sample bytes", isTerminal: false))
        #expect(shown.output == "{\"a\":\"\\u009b2J\\u202e\\u007fé🦊\"}\n")
        #expect(try JSON(parsing: shown.output) == JSON(parsing: exact.output))
        let list = run("sample list --output json", isTerminal: true).output
        #expect(try JSON(parsing: list)[0]["name"].string == Self.hostile)
    }

    @Test("So is a record of a real command, and its export is exact in a file") func records() throws {
        let folder = try DataFolder.prepared()
        let schema = "DEFINE SCHEMA RECORD TYPE Plain (text STRING, GRANT READ TO \"_world\");\n"
        try schema.write(toFile: folder.folder.path + "/all.ckdb", atomically: true, encoding: .utf8)
        try folder.nephos("schema", "import", DataFolder.container, folder.folder.path + "/all.ckdb")
        let fields = (["text": ["type": "stringType", "value": .string(Self.hostile)]] as JSON).description
        try folder.nephos(
            "records", "create", DataFolder.container, "--record-type", "Plain", "--record-name", "a", "--fields-json",
            fields)
        for words in [["records", "get"], ["records", "export"]] {
            let arguments =
                words + [DataFolder.container] + (words == ["records", "get"] ? ["--record-name", "a"] : ["Plain"])
            let exact = try folder.run(arguments).output
            let shown = try folder.run(arguments, isTerminal: true).output
            #expect(isHarmless(shown) && !isHarmless(exact), "\(shown)")
            #expect(try JSON(parsing: shown) == JSON(parsing: exact))
        }
        let table = ["records", "export", DataFolder.container, "Plain", "--output", "csv"]
        #expect(try folder.run(table).output.contains(Self.hostile))
        #expect(isHarmless(try folder.run(table, isTerminal: true).output))
    }
}
