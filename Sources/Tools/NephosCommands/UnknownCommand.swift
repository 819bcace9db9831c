import ArgumentParser

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
                suggestion = Self.nearest(to: word, in: commands.map { $0._commandName })
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

    private static func nearest(to word: String, in names: [String]) -> String? {
        let distances = names.map { (name: $0, distance: distance(Array(word), Array($0))) }
        guard let best = distances.min(by: { $0.distance < $1.distance }), best.distance <= max(1, word.count / 3)
        else {
            return names.first { $0.hasPrefix(word) }
        }
        return best.name
    }

    /// The number of characters to insert, remove or replace that makes one word of the other.
    private static func distance(_ one: [Character], _ other: [Character]) -> Int {
        var row = Array(0...other.count)
        for (place, character) in one.enumerated() {
            var diagonal = row[0]
            row[0] = place + 1
            for column in other.indices {
                let replaced = diagonal + (character == other[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, row[column + 1] + 1)
            }
        }
        return row[other.count]
    }
}
