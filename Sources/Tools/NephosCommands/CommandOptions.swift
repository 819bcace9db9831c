import ArgumentParser
import NephosRunner

/// The options of the command that some arguments name. They are read from its help, the only list of them that the parser gives to
/// a program; `Tests/CommandTests/help.txt` has what that leads to.
struct CommandOptions {
    /// Such as `--limit` with `<limit>`; without a value for a flag.
    private let options: [(name: String, value: String?)]

    /// Those that the parser adds to every command, and no help lists.
    private static let ofParser = ["--generate-completion-script", "--help-hidden", "--experimental-dump-help"]

    /// Follows `arguments` down the tree of commands.
    init(_ arguments: [String], below root: any ParsableCommand.Type) {
        var command = root
        for word in arguments {
            guard let next = command.configuration.subcommands.first(where: { $0._commandName == word }) else { break }
            command = next
        }
        let help = root.helpMessage(for: command, includeHidden: true, columns: HelpText.columns)
        options = help.matches(of: /(?m)^  (?:-\w, )?(--[a-z0-9-]+)(?: (<[^>]+>))?/).map {
            (String($0.1), $0.2.map(String.init))
        }
    }

    /// The parser's message with every option in its usage: for commands with many it writes `[<options>]`.
    func completeUsage(in message: String) -> String {
        let shortened = "[<options>]"
        guard let usage = message.firstRange(of: "\nUsage: "),
            let place = message[usage.upperBound...].firstRange(of: shortened)
        else { return message }
        let rest = message[place.upperBound...]
        let all = options.filter { !["--version", "--help"].contains($0.name) && !rest.contains("\($0.name) ") }
        let words = all.map { "[\([$0.name, $0.value].compactMap(\.self).joined(separator: " "))]" }
        return message[..<place.lowerBound] + words.joined(separator: " ") + rest
    }

    /// The parser's message, about the first unknown option if there is one: the parser may complain of what is missing instead, or
    /// suggest an option that has little in common with the typed one.
    func explained(_ message: String, of arguments: [String]) -> String {
        // What begins with dashes may be an option's missing value.
        guard !message.hasPrefix("Error: Missing value for") else { return message }
        let known = options.map(\.name) + Self.ofParser
        let typed = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }.map {
            String($0.prefix { $0 != "=" })
        }
        guard !options.isEmpty, let unknown = typed.first(where: { !known.contains($0) }) else { return message }
        let word = String(unknown.dropFirst(2))
        let meant = Spelling.nearest(to: word, in: known.map { String($0.dropFirst(2)) })
        // With another letter a short option is often another word: --last is not --list.
        let isOther = word.count < 5 && word.count == meant?.count && word.sorted() != meant?.sorted()
        let hint = meant.flatMap { isOther ? nil : ". Did you mean '--\($0)'?" } ?? ""
        let usage = message.firstRange(of: "\nUsage: ").map { message[$0.lowerBound...] } ?? ""
        return "Error: Unknown option '\(unknown)'\(hint)\(usage)"
    }
}
