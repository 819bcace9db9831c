import Foundation
import NephosCommands
import NephosRunner
import NephosStorage
import NephosTesting
import ServerTesting
import Testing

/// docs/decisions/0025.
@Suite("Commands that are derived from use cases", .onOneEngine) struct DerivedCommandTests {
    private static func run(
        _ line: String, prepare: (inout CommandContext) -> Void = { _ in }
    ) -> CommandResult {
        let words = line.split(separator: " ").map(String.init)
        return InProcessCommand.run(words, offering: SampleUseCases.all, prepare: prepare)
    }

    @Test(
        "Each kind of input has the value typed, or its default",
        arguments: [
            ("sample plain c --title T", "c/development - T 3 - false"),
            ("sample plain c n --title T --count 5 --color red -y", "c/development n T 5 red true"),
            ("sample plain --title=T --environment production c --yes", "c/production - T 3 - true"),
            ("sample several 1", "[1] [] []"),
            ("sample several --words a b --tag x 1 2 --tag y", #"[1, 2] ["x", "y"] ["a", "b"]"#),
            ("sample range --from 2 --to 3 name", "name: 2"),
        ])
    func values(_ line: String, _ output: String) {
        let result = Self.run(line)
        #expect(result.output == output + "\n" && result.errors.isEmpty && result.status == 0, "\(result)")
    }

    @Test(
        "Invalid input is wrong usage, and the usage is shown with it",
        arguments: [
            ("sample plain --title T", "Missing expected argument '<container>'"),
            ("sample plain c", "Missing expected argument '--title <title>'"),
            ("sample plain c --title T --count many", "The value 'many' is invalid for '--count <count>'"),
            ("sample plain c --title T --color blue", "'--color <paint>'. Please provide one of 'red' and 'green'."),
            ("sample plain c --title T --yes=no", "The option '--yes' does not take any value"),
            ("sample plain c --title T -z", "Unknown option '-z'"),
            ("sample plain c n more --title T", "Unexpected argument 'more'"),
            ("sample several", "Missing expected argument '<numbers> ...'"),
            ("sample several 1 x", "The value 'x' is invalid for '<numbers>'"),
            ("sample range --to 10 name", "The end is 9 at most."),
            ("sample range --from 5 --to 2 name", "The end is before the beginning."),
            // Reported before the missing argument that follows it.
            ("sample range --from 5 --to 2", "The end is before the beginning."),
        ])
    func wrongUsage(_ line: String, _ error: String) {
        let result = Self.run(line)
        #expect(result.status == 2 && result.output.isEmpty, "\(result)")
        #expect(result.errors.hasPrefix("Error: ") && result.errors.contains(error), "\(result.errors)")
        #expect(result.errors.contains("\nUsage: nephos sample "), "\(result.errors)")
    }

    @Test("A program has the commands of its own list, independent of others in the same process") func lists()
        async throws
    {
        for line in ["help", "--help", "help sample", "sample plain --help"] { #expect(Self.run(line).status == 0) }
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    let own = Self.run("help").output
                    #expect(own.contains("\n  sample ") && own.contains("\n  alone ") && !own.contains("\n  token "))
                }
                group.addTask {
                    let core = try InProcessCommand.run(["help"], [:]).output
                    #expect(core.contains("\n  token ") && !core.contains("\n  sample "))
                }
            }
            try await group.waitForAll()
        }
        #expect(Self.run("token list c").status == 2)
        #expect(Self.run("sample").errors.contains("SUBCOMMANDS:\n  plain "))
    }

    @Test("Help shows kinds, defaults, choices and names") func help() {
        let help = Self.run("help sample plain").output
        #expect(
            help.contains(
                """
                USAGE: nephos sample plain <container> [--environment <environment>] [<note>]
                         --title <title> [--count <count>] [--color <paint>] [--yes]
                """), "\(help)")
        #expect(help.contains("A number. (default: 3)"))
        #expect(help.contains("A color. (values: red, green)"))
        #expect(help.contains("-y, --yes "))
        #expect(!help.contains("--data"))
        #expect(
            Self.run("help alone").output.contains("USAGE: nephos alone [--new-store] [--data <dir>] [--store <url>]"))
        #expect(
            Self.run("help sample several").output.contains(
                "<numbers> ... [--tag <tag> ...]\n         [--words <words> ...]"))
    }

    @Test("A shell completes the choices of an option") func completion() {
        let script = Self.run("--generate-completion-script fish").output
        let color = script.split(separator: "\n").filter { $0.contains("-l 'color'") }
        #expect(color.count == 1 && color.allSatisfy { $0.contains("'red green'") }, "\(color)")
    }

    @Test("Hundreds of commands are all found") func many() {
        let useCases = (0..<300).map { number in
            UseCase("many n\(number)", .reads, store: .none, abstract: "") { _ in .text("\(number)") }
        }
        for number in [0, 1, 2, 127, 128, 255, 256, 299] {
            let group = UseCaseGroup("many", abstract: "", useCases)
            let result = InProcessCommand.run(["many", "n\(number)"], offering: [group])
            #expect(result.output == "\(number)\n", "\(result)")
        }
    }

    @Test("Notes go to standard error, only results to standard output, and a failure exits with 1")
    func streams() {
        let result = Self.run("sample talk --yes") { $0.input = { Array("typed".utf8) } }
        #expect(result.output == "first\ntyped\na  b\n1  2\n\nc\n3\n")
        #expect(result.errors == "Next: nephos sample plain\nNo d.\nError: It is over.\n")
        #expect(result.status == 1)
    }

    @Test("A prompt appears only in an interactive session; otherwise --yes is required") func questions() throws {
        let silent = Self.run("sample talk")
        #expect(silent.status == 2)
        #expect(silent.errors == "Error: This talks. Nothing was changed. Pass --yes to skip the prompt.\n")
        for (answer, isDone) in [("y", true), ("YES", true), ("no", false), ("", false)] {
            let result = Self.run("sample talk") { context in
                context.isAnswered = true
                context.line = { answer }
            }
            #expect(result.errors.hasPrefix("This talks. Continue? [y/N] "))
            #expect(
                result.output.hasPrefix("first\n") == isDone && result.errors.contains("Nothing was done.") == !isDone)
        }
    }

    @Test("The store is opened when needed, and created if requested") func store() throws {
        let folder = try TemporaryFolder(prefix: "nephos-derived")
        let data = "--data \(folder.path)/data"
        let missing = Self.run("alone \(data)")
        #expect(
            missing.status == 1 && missing.errors.contains("There is no store in \(folder.path)/data."), "\(missing)")
        #expect(Self.run("alone \(data) --new-store").output == "0 at a folder\n")
        #expect(Self.run("alone \(data)").output == "0 at a folder\n")
    }

    struct Unforeseen: Error {}

    @Test("Errors of every module are reported in one format") func errors() {
        func told(_ error: any Error) -> CommandResult {
            let useCase = UseCase("fail", .reads, store: .none, abstract: "") { _ in throw error }
            return InProcessCommand.run(["fail"], offering: [UseCaseGroup(useCase)])
        }
        #expect(told(NephosRunner.Failure("No.")).errors == "Error: No.\n")
        #expect(told(NephosRunner.Failure("No.")).status == 1)
        #expect(told(NephosRunner.Failure("No.", kind: .wrongUsage)).status == 2)
        #expect(told(NephosRunner.Failure("No.", isWhole: true)).errors == "No.\n")
        #expect(told(StorageError.busy).errors == "Error: Too many writers are waiting. Try again in a moment.\n")
        #expect(told(StorageError.busy).status == 1)
        #expect(told(Unforeseen()).errors.contains("Unforeseen"))
        #expect(told(Unforeseen()).status != 0)
    }
}
