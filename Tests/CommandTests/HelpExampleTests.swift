import Foundation
import NephosTesting
import ServerTesting
import Testing

/// What help shows as examples, each pasted into a shell, and run on a store that has what they speak of.
@Suite("The examples in the help", .onOneEngine) struct HelpExampleTests {
    /// An example, with the line breaks that it is shown with.
    struct Example {
        var command: String
        var text: String
    }

    /// Those of all commands, as `help.txt` has them; ``HelpTests`` compares that with what the command says.
    static func examples() throws -> [Example] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "help.txt")
        var examples: [Example] = []
        var (command, isExample, goesOn) = ("", false, false)
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            if line.hasPrefix("$ nephos ") {
                command = line.hasPrefix("$ nephos help ") ? String(line.dropFirst(14)) : ""
                isExample = false
            } else if line == "Example:" || line == "Examples:" {
                isExample = true
            } else if isExample, line.hasPrefix("  ") {
                if goesOn {
                    examples[examples.count - 1].text += "\n\(line)"
                } else {
                    examples.append(Example(command: command, text: String(line)))
                }
                goesOn = line.hasSuffix("\\")
            } else {
                (isExample, goesOn) = (false, false)
            }
        }
        return examples
    }

    /// The words of each call of `nephos` that a shell makes of some text, in an empty folder.
    private static func calls(_ text: String, _ folder: String) throws -> [[String]] {
        let (calls, errors) = ("\(folder)/calls", "\(folder)/errors")
        try? FileManager.default.removeItem(atPath: calls)
        let script = """
            nephos() { printf '%s\\0' "$@" >&3; printf '\\n' >&3; }
            cd '\(folder)'
            exec 3>>'\(calls)'
            \(text.replacing(" /", with: " \(folder)/"))
            """
        let shell = try ChildProcess("/bin/bash", ["-euc", script], output: "\(folder)/output", errors: errors)
        let end = shell.wait()
        let said = String(decoding: try readFile(errors), as: UTF8.self)
        #expect(end == .exited(0), "\(text): \(said)")
        return String(decoding: try readFile(calls), as: UTF8.self).split(separator: "\0\n")
            .map { $0.split(separator: "\0", omittingEmptySubsequences: false).map(String.init) }
    }

    /// What the examples speak of.
    private static func prepared() throws -> (DataFolder, TemporaryFolder) {
        let folder = try DataFolder.prepared()
        let id = DataFolder.container
        try """
        DEFINE SCHEMA
            CREATE ROLE Admin;
            RECORD TYPE Article (
                "___recordID" REFERENCE QUERYABLE, title STRING QUERYABLE SORTABLE, subtitle STRING,
                stars INT64 QUERYABLE SORTABLE, category STRING QUERYABLE, publishedAt TIMESTAMP QUERYABLE SORTABLE,
                GRANT READ TO "_world", GRANT READ, CREATE, WRITE TO Admin
            );
            RECORD TYPE Post (version STRING QUERYABLE, GRANT READ TO "_world");
            RECORD TYPE Novenas (names LIST<STRING>, GRANT READ TO "_world");
            RECORD TYPE Note (text STRING, GRANT READ TO "_world");

        """.write(toFile: "\(folder.folder.path)/schema.ckdb", atomically: true, encoding: .utf8)
        try folder.nephos("schema", "import", id, "\(folder.folder.path)/schema.ckdb")
        for name in ["A1B2", "B"] {
            let fields = #"{"title":{"value":"Hello"},"subtitle":{"value":"s"},"stars":{"value":3}}"#
            try folder.nephos(
                "records", "create", id, "--record-type", "Article", "--record-name", name, "--fields-json", fields)
        }
        for (name, text) in [
            ("articles.ndjson", #"{"recordName":"C","recordType":"Article","fields":{}}"#),
            ("articles.csv", "recordName,title\nA1B2,Hello\n"), ("mary.txt", "correct horse battery staple\n"),
            ("mail.txt", "secret\n"),
            ("settings.yaml", "{}\n"),
        ] { try text.write(toFile: "\(folder.folder.path)/\(name)", atomically: true, encoding: .utf8) }
        // The shell reads what it is to hand on.
        let shell = try TemporaryFolder(prefix: "nephos-examples")
        for path in ["etc/nephos", "usr/sbin"] {
            try FileManager.default.createDirectory(atPath: "\(shell.path)/\(path)", withIntermediateDirectories: true)
        }
        try writeFile("\(shell.path)/mary.txt", Array("x".utf8))
        let program = "\(shell.path)/usr/sbin/sendmail"
        try writeFile(program, Array("#!/bin/sh\n".utf8))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        try giveToOrdinaryUser(shell.path)
        return (folder, shell)
    }

    @Test("A shell and the command accept each example; it succeeds, or names what the store lacks")
    func run() throws {
        let examples = try Self.examples()
        #expect(examples.count > 120)
        let (prepared, shell) = try Self.prepared()
        var succeeded = 0
        for command in Dictionary(grouping: examples, by: \.command).sorted(by: { $0.key < $1.key }) {
            let folder = try prepared.copy()
            for example in command.value {
                for words in try Self.calls(example.text, shell.path) {
                    #expect(
                        words.starts(with: example.command.split(separator: " ").map(String.init)), "\(example.text)")
                    succeeded += try Self.check(words, in: folder) ? 1 : 0
                }
            }
        }
        #expect(succeeded > 60)
    }

    /// Runs a call as it is, but for what would not end.
    ///
    /// - Returns: Whether it succeeded.
    private static func check(_ words: [String], in folder: DataFolder) throws -> Bool {
        var words = words.filter { $0 != "--follow" }.map { isFile($0) ? "FOLDER/\($0)" : $0 }
        // What the shell hands in.
        words = words.map { $0 == "-" ? "FOLDER/mary.txt" : $0 }
        // A server that finds its port wrong has read all else.
        if words.first == "serve" { words += ["--port", "65536"] }
        let result = try folder.run(words)
        if result.status == 0 { return true }
        let isAsked = result.status == 2 && result.errors.contains("Pass --yes to skip the prompt.")
        let isServer =
            words.first == "serve" && result.errors.contains("--port (NEPHOS_PORT) must be a number from 0 to 65535.")
        // What it speaks of is not in every store.
        let isMissing = result.status == 1 && result.errors.hasPrefix("Error: ")
        #expect(isAsked || isServer || isMissing, "\(words.joined(separator: " ")): \(result.errors)")
        return false
    }

    private static func isFile(_ word: String) -> Bool {
        word.contains(/^[A-Za-z\/]+\.(ckdb|ndjson|csv|pem|txt|yaml|png|html|p8|swift)$/) || word == "Sources"
            || word == "mary"
    }
}
