import NephosCommands
import NephosRunner
import NephosTesting
import ServerTesting
import Testing

/// docs/running.md, "Output of commands".
@Suite("The option --output", .onOneEngine) struct OutputRuleTests {
    private static let all = [Feature].ofProgram().offered.flatMap(\.all)

    /// What has no table, or prints records as CloudKit's own tools do: their formats, the first is the default.
    private static let others = [
        "records query": ["json", "table"], "records get": ["json", "table"], "records create": ["json", "table"],
        "records update": ["json", "table"], "records delete": ["json", "table"],
        "records export": ["ndjson", "csv"],
    ]
    /// What there is besides the two of every list.
    private static let more = ["trends show": ["csv", "svg"], "content calendar": ["ics"]]

    @Test("The option is the same everywhere: table first, then json; help lists its formats") func rule() throws {
        var paths: Set<String> = []
        for useCase in Self.all {
            guard let field = useCase.fields.first(where: { $0.name == "output" }) else { continue }
            let path = useCase.path.joined(separator: " ")
            paths.insert(path)
            let formats = Self.others[path] ?? ["table", "json"] + (Self.more[path] ?? [])
            #expect(field.kind == .option && field.shortName == nil, "\(path)")
            #expect(Set(field.word.choices) == Set(formats) && field.standard == formats.first, "\(path)")
            let last = field.word.choices.last ?? ""
            let help = field.word.choices.dropLast().joined(separator: ", ") + " or \(last)."
            #expect(field.help == help, "\(path)")
        }
        #expect(paths.isSuperset(of: Self.others.keys) && paths.isSuperset(of: Self.more.keys))
    }

    /// What explains in sentences.
    private static let sentences: Set = ["content explain"]

    @Test("Commands that list, show or explain take it") func lists() {
        let words: Set = [
            "list", "show", "history", "log", "stats", "explain", "lint", "stale", "bad", "check", "calendar",
        ]
        for useCase in Self.all where useCase.effect == .reads && words.contains(useCase.path.last ?? "") {
            if Self.sentences.contains(useCase.path.joined(separator: " ")) { continue }
            #expect(useCase.fields.contains { $0.name == "output" }, "\(useCase.path)")
        }
    }

    @Test("A table as JSON is an array of objects with the column headings as keys; no rows are an empty array")
    func json() throws {
        func run(_ line: String) -> String {
            InProcessCommand.run(line.split(separator: " ").map(String.init), offering: [Self.samples]).output
        }
        #expect(run("sample list") == "name  last used\na     -\n\"     2\n")
        #expect(
            run("sample list --output json")
                == #"[{"name":"a","lastUsed":null},{"name":"\"","lastUsed":"2"}]"# + "\n")
        let none = InProcessCommand.run(["sample", "none", "--output", "json"], offering: [Self.samples])
        #expect(none.output == "[]\n" && none.errors.isEmpty && none.status == 0)
        let empty = InProcessCommand.run(["sample", "none"], offering: [Self.samples])
        #expect(empty.output.isEmpty && empty.errors == "There is none.\n")
        #expect(InProcessCommand.run(["sample", "none", "--output", "xml"], offering: [Self.samples]).status == 2)
    }

    private static let samples = UseCaseGroup(
        "sample", abstract: "Samples.",
        [
            UseCase("sample list", .reads, store: .none, lists: true, abstract: "Print a table.") { _ in
                .table(["name", "last used"], [["a", "-"], ["\"", "2"]])
            },
            UseCase("sample none", .reads, store: .none, lists: true, abstract: "Print no table.") { _ in
                .table(["name"], [], whenEmpty: "There is none.")
            },
        ])
}
