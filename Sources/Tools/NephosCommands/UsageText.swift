import ArgumentParser

/// The usage of a command as errors show it: with every option, also where the parser writes `[<options>]` for many of them.
enum UsageText {
    private static let shortened = "[<options>]"

    /// - Parameters:
    ///   - message: The parser's message about `arguments`.
    ///   - root: The command to which the arguments were given.
    static func complete(_ message: String, of arguments: [String], below root: any ParsableCommand.Type) -> String {
        guard let place = message.firstRange(of: shortened) else { return message }
        var command = root
        for word in arguments {
            guard let next = command.configuration.subcommands.first(where: { $0._commandName == word }) else { break }
            command = next
        }
        let rest = message[place.upperBound...]
        let help = root.helpMessage(for: command, columns: HelpText.columns)
        let options = help.matches(of: /(?m)^  (--[a-z-]+)( <[^>]+>)?/)
            .filter { $0.1 != "--version" && !rest.contains("\($0.1) ") }
        return message.replacing(
            shortened, with: options.map { "[\($0.1)\($0.2 ?? "")]" }.joined(separator: " "))
    }
}
