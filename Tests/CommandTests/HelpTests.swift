import Foundation
import NephosTesting
import ServerTesting
import Testing

/// The help of all commands and the messages for wrong calls, byte for byte, in `help.txt`.
@Suite("The help of the command", .onOneEngine) struct HelpTests {
    /// Wrong calls of every kind.
    private static let wrongCalls = [
        "", "bogus", "tokn", "acc", "container", "container create", "container create a b",
        "container lst", "falg list a b", "flog list a b", "trends show iCloud.x --days 3",
        "trends show iCloud.x --last 0",
        "key create iCloud.x --file a.pem",
        "records get iCloud.x --record-name --abc", "token create --=x", "trends show iCloud.x [<options>] b",
        "message delet a b --yes", "token create",
        "token create iCloud.x --nam Web", "token create iCloud.x --naem Web", "account list --lim 3",
        "token create iCloud.x --name",
        "token create iCloud.x --environment staging",
        "key create iCloud.x", "key create iCloud.x --generate a --public-key b", "account list --limit 0",
        "account list --limit many", "session create iCloud.x", "session revoke iCloud.x",
        "session revoke --all mary@example.org iCloud.x 12ab", "schema reset iCloud.x -y --no",
        "role assign iCloud.x Admin", "role assign iCloud.x Admin mary --environment staging",
        "role preset iCloud.x Article everybody", "role preset iCloud.x Article signed-in --role Admin",
        "records get iCloud.x --record-name a --database-type private",
        "records query iCloud.x --database-type private",
        "records query iCloud.x --record-type A --output xml", "records query iCloud.x --record-type A --limit x",
        "records create iCloud.x --record-type A", "records create iCloud.x --fields-stdin=yes --record-type A",
        "trash list iCloud.x --limit 0", "trash restore iCloud.x", "trash restore iCloud.x a --dry-run",
        "trash restore iCloud.x --record-type A", "trash restore iCloud.x --record-type A --deleted-after yesterday",
        "push log iCloud.x --limit 0", "push configure iCloud.x --team T", "webhook create iCloud.x --url https://x",
        "webhook create iCloud.x --url https://x --record-type A --on insert",
        "webhook create iCloud.x --url https://x --record-type A --field a --field b --field c --field d",
        "webhook replay iCloud.x", "webhook replay iCloud.x 12ab --hours 0", "index build iCloud.x Article",
        "stats iCloud.x --people --limit 0", "secret reset", "secret new more", "check --everything",
        "serve --port 65536",
    ]

    private static func run(_ words: [String]) throws -> Outcome {
        let result = try InProcessCommand.run(words, [:])
        return Outcome(status: result.status, output: result.output, errors: result.errors)
    }

    /// The names listed in help below `SUBCOMMANDS`.
    private static func subcommands(_ help: String) -> [String] {
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
        let listed = lines.drop { $0 != "SUBCOMMANDS:" }.dropFirst().prefix { !$0.isEmpty }
        // Lines with deeper indentation continue the line above.
        return listed.filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
            .compactMap { $0.split(separator: " ").first.map(String.init) }
    }

    /// All commands below one, starting with itself, each with the output of `help` and `--help`.
    private static func helps(_ path: [String] = []) throws -> [(path: [String], help: String, flag: String)] {
        let help = try run(["help"] + path)
        let flag = try run(path + ["--help"])
        #expect(help.status == 0 && help.errors.isEmpty && flag.status == 0 && flag.errors.isEmpty)
        return [(path, help.output, flag.output)]
            + (try subcommands(help.output).flatMap { try helps(path + [$0]) })
    }

    @Test("Help and usage errors match the recorded ones; NEPHOS_WRITE_HELP records them again")
    func isAsItWas() throws {
        let helps = try Self.helps()
        #expect(helps.count > 60)
        for (path, help, flag) in helps { #expect(help == flag, "\(path)") }
        var text = helps.map { "$ nephos help \($0.path.joined(separator: " "))\n\($0.help)\n" }.joined()
        for call in Self.wrongCalls {
            let words = call.split(separator: " ").map(String.init)
            let outcome = try Self.run(words)
            #expect(outcome.output.isEmpty && outcome.status == 2, "\(call): \(outcome)")
            text += "$ nephos \(call)\n\(outcome.errors)\n"
        }
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "help.txt")
        if ProcessInfo.processInfo.environment["NEPHOS_WRITE_HELP"] != nil {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        try Self.compare(text, with: try String(contentsOf: file, encoding: .utf8))
    }

    /// What is wrong with a call is told in one line, so that whoever looks for it finds it.
    @Test("No line is wider than 80 columns, except calls and errors") func width() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "help.txt")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let wide = lines.filter { $0.count > 80 && !$0.hasPrefix("$ ") && !$0.hasPrefix("Error: ") }
        #expect(lines.count > 3_000 && wide == [])
    }

    /// Names the call whose answer is another.
    private static func compare(_ text: String, with recorded: String) throws {
        func answers(_ text: String) -> [Substring] {
            text.split(separator: "$ nephos ", omittingEmptySubsequences: true)
        }
        for (answer, before) in zip(answers(text), answers(recorded)) { #expect(answer == before) }
        #expect(text == recorded)
    }
}
