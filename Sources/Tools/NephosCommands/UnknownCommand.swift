import ArgumentParser
import NephosRunner

/// A word in the place of a command that names none, which the parser reports as an unexpected argument.
struct UnknownCommand {
    let word: String
    /// The command that was probably meant.
    let suggestion: String?

    /// Follows `arguments` down the tree of commands.
    ///
    /// - Returns: Nil if every word in the place of a command names one.
    init?(_ arguments: [String], below root: any ParsableCommand.Type) {
        var command = root
        for word in arguments {
            let commands = command.configuration.subcommands
            guard !commands.isEmpty, !word.hasPrefix("-"), word != "help" else { return nil }
            if let next = commands.first(where: { $0._commandName == word }) {
                command = next
            } else {
                self.word = word
                suggestion = Spelling.nearest(to: word, in: commands.map { $0._commandName })
                return
            }
        }
        return nil
    }

    /// The parser's message, saying that a command was expected: the parser may complain of the words after it.
    func explained(_ message: String) -> String {
        let hint = suggestion.map { " Did you mean '\($0)'?" } ?? ""
        let usage = message.firstRange(of: "\nUsage: ").map { message[$0.lowerBound...] } ?? ""
        return "Error: There is no command '\(word)'.\(hint)\(usage)"
    }
}
